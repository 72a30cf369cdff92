import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.JavaFormatterOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Formats the Java sources below the working directory ("apply"), or fails if some are not formatted ("check"). Fails
 * in both cases if a line of a comment or of Markdown prose has more than 120 columns.
 */
public final class Format {
    private static final Formatter FORMATTER = Formatter.createFormatter(JavaFormatterOptions.builder()
            .style(JavaFormatterOptions.Style.PALANTIR)
            .build());

    private static final int COLUMNS = 120;

    private static final Predicate<String> IS_COMMENT =
            Pattern.compile(" *(/\\*\\*|\\*|//).*").asMatchPredicate();

    /** Marks a file that the formatter cannot handle in reasonable time. */
    private static final String UNFORMATTED = "// not formatted: ";

    private Format() {}

    public static void main(String[] args) throws IOException {
        boolean apply = switch (args[0]) {
            case "apply" -> true;
            case "check" -> false;
            default -> throw new IllegalArgumentException("neither check nor apply: " + args[0]);
        };

        List<Path> unformatted = sources().parallelStream()
                .filter(file -> isUnformatted(file, apply))
                .toList();

        unformatted.forEach(file -> System.out.println((apply ? "formatted " : "not formatted: ") + file));
        boolean fails = !apply && !unformatted.isEmpty();
        if (fails) {
            System.out.println("To format them: mvn -q -N verify -Dformat=apply");
        }
        List<String> tooLong = tooLong();
        tooLong.forEach(line -> System.out.println("more than " + COLUMNS + " columns: " + line));
        if (fails || !tooLong.isEmpty()) {
            System.exit(1);
        }
    }

    private static List<Path> sources() throws IOException {
        return files(".java");
    }

    private static List<Path> files(String ending) throws IOException {
        try (var files = Files.walk(Path.of(""))) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .filter(file -> !file.toString().matches("(.*[/\\\\])?target[/\\\\].*"))
                    .sorted()
                    .toList();
        }
    }

    /** Returns the lines with too many columns, each with its file and number. */
    private static List<String> tooLong() throws IOException {
        var found = new ArrayList<String>();
        for (Path file : sources()) {
            addTooLong(file, found, IS_COMMENT);
        }
        for (Path file : files(".kt")) {
            addTooLong(file, found, IS_COMMENT);
        }
        for (Path file : files(".md")) {
            if (!file.endsWith("report.md")) { // the benchmarks write it
                var prose = new Prose();
                addTooLong(file, found, prose::isProse);
            }
        }
        return found;
    }

    private static void addTooLong(Path file, List<String> found, Predicate<String> limited) throws IOException {
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (limited.test(line) && line.codePointCount(0, line.length()) > COLUMNS) {
                found.add(file + ":" + (i + 1));
            }
        }
    }

    /** Distinguishes the prose of a Markdown file, line by line, from code, tables, and links that cannot be broken. */
    private static final class Prose {
        private boolean code;

        boolean isProse(String line) {
            if (line.strip().startsWith("```")) {
                code = !code;
                return false;
            }
            return !code && !line.strip().startsWith("|") && line.strip().contains(" ");
        }
    }

    private static boolean isUnformatted(Path file, boolean apply) {
        try {
            String before = Files.readString(file);
            if (before.contains(UNFORMATTED)) {
                return false;
            }
            String after = FORMATTER.formatSourceAndFixImports(before);
            boolean unformatted = !after.equals(before);
            if (unformatted && apply) {
                Files.writeString(file, after);
            }
            return unformatted;
        } catch (FormatterException e) {
            throw new IllegalStateException("cannot read " + file, e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
