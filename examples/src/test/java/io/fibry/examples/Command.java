package io.fibry.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A command line of a document (a line of a block, or inline code that begins with a program) or of a comment in a
 * source file.
 */
record Command(Path document, String text) {

    /**
     * Matches inline code, and lines of blocks without a language, that are commands. A program followed only by
     * options counts as a mention of the options.
     */
    private static final Pattern PROGRAM = Pattern.compile("([A-Z_]+=\\S+ )?"
            + "((mvn|java|jcmd|jfr|curl|git|python3|gradle|docker|kubectl|nginx|telnet|nc|kill|cd) (.* )?[^- ].*"
            + "|(build|site|\\.ci)/[\\w/-]+( .*)?)");

    private static final Pattern FENCE = Pattern.compile("\\s*```(\\S*)");
    private static final Pattern INLINE = Pattern.compile("`([^`]+)`");
    private static final List<String> SHELLS = List.of("sh", "shell", "bash", "console");
    private static final Pattern QUOTED_OR_COMMENT = Pattern.compile("'[^']*'|\"[^\"]*\"|(?<=^|\\s)(#.*)");
    private static final Pattern IN_SOURCE = Pattern.compile("(?:\\{@code |`)(mvn [^}`]+)[}`]");
    private static final Pattern WORD = Pattern.compile("(?:[^\\s'\"]|'[^']*'|\"[^\"]*\")+");

    /** Returns the commands of all documents of the project, except the generated reports and the change log. */
    static List<Command> all() throws IOException {
        var commands = new ArrayList<Command>();
        for (Path document : documents()) {
            commands.addAll(of(document, Files.readString(document)));
        }
        return commands;
    }

    /** Returns the commands in the comments of programs. */
    static List<Command> ofPrograms() throws IOException {
        var commands = new ArrayList<Command>();
        for (Path source : files("(examples|fibry-bench)/src/main/.*\\.(java|kt)")) {
            String text = Files.readString(source).replaceAll("\n \\* ?", " ");
            IN_SOURCE.matcher(text).results().forEach(code -> commands.add(new Command(source, code.group(1))));
        }
        return commands;
    }

    static List<Path> documents() throws IOException {
        return files("(?!(.*/)?(results|\\.git)/|CHANGELOG).*\\.md");
    }

    /** Returns the files of the project whose paths match, without the output of builds. */
    static List<Path> files(String regex) throws IOException {
        var wanted = Pattern.compile("(?!(.*/)?target/)(" + regex + ")");
        try (Stream<Path> files = Files.find(Markdown.PROJECT, 12, (file, attributes) -> attributes.isRegularFile())) {
            return files.filter(file -> wanted.matcher(
                                    Markdown.PROJECT.relativize(file).toString())
                            .matches())
                    .sorted()
                    .toList();
        }
    }

    static List<Command> of(Path document, String text) {
        var commands = new ArrayList<Command>();
        String language = null; // of the block; null outside
        for (String line : text.replace("\\\n", "").lines().toList()) {
            Matcher fence = FENCE.matcher(line);
            if (fence.lookingAt()) {
                language = language == null ? fence.group(1) : null;
            } else if (language == null) {
                INLINE.matcher(line)
                        .results()
                        .map(code -> code.group(1))
                        .forEach(code -> add(commands, document, code));
            } else if (SHELLS.contains(language)) {
                String command = withoutComment(line).replaceFirst("^\\$ ", "").strip();
                if (!command.isEmpty()) {
                    commands.add(new Command(document, command));
                }
            } else if (language.isEmpty()) {
                add(commands, document, line.strip());
            }
        }
        return commands;
    }

    private static String withoutComment(String line) {
        return QUOTED_OR_COMMENT
                .matcher(line)
                .replaceAll(match -> match.group(1) != null ? "" : Matcher.quoteReplacement(match.group()));
    }

    private static void add(List<Command> commands, Path document, String code) {
        if (PROGRAM.matcher(code).matches()) {
            commands.add(new Command(document, code));
        }
    }

    /** Splits the command into words, like a shell. */
    List<String> words() {
        return WORD.matcher(text)
                .results()
                .map(word -> word.group().replaceAll("['\"]", ""))
                .toList();
    }

    String program() {
        return words().stream()
                .filter(word -> !word.matches("[A-Z_]+=.*"))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public String toString() {
        return Markdown.PROJECT.relativize(document) + ": " + text;
    }
}
