package io.fibry.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A document of this project. */
record Markdown(Path file) {

    static final Path PROJECT = Path.of(System.getProperty("basedir", ".")).resolve("..");

    static final Markdown README = new Markdown(PROJECT.resolve("README.md"));

    /** The guides: all their code runs. */
    static Stream<Markdown> guides() {
        return Stream.of(
                        "asking",
                        "lifecycle",
                        "failure",
                        "mailboxes",
                        "names",
                        "stereotypes",
                        "entities",
                        "flow",
                        "worker-pools",
                        "servers",
                        "http",
                        "helidon",
                        "testing",
                        "see-inside",
                        "metrics",
                        "observer",
                        "shop",
                        "fibry-2019")
                .map(Markdown::document);
    }

    /** The pages that compare the same program here and elsewhere, as the last of the guides does. */
    static Stream<Markdown> comparisons() {
        return Stream.of("coming-from-virtual-threads", "coming-from-pekko", "coming-from-vertx", "fibry-2019")
                .map(Markdown::document);
    }

    /** All of docs. */
    static List<Path> documents() throws IOException {
        try (var files = Files.list(PROJECT.resolve("docs"))) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    /** One of the documents beside the README. */
    static Markdown document(String name) {
        return new Markdown(PROJECT.resolve("docs").resolve(name + ".md"));
    }

    String text() throws IOException {
        return Files.readString(file);
    }

    /** The number of words outside of code blocks. */
    long proseWords() throws IOException {
        String prose = text().replaceAll("(?ms)^ *```.*?^ *```$", "");
        return prose.strip().split("\\s+").length;
    }

    /** The text between the fences of a language. */
    List<String> blocks(String language) throws IOException {
        return values("(?ms)^```" + language + "\n(.*?)^```$");
    }

    /** The blocks of Java, as programs. */
    List<Snippet> programs() throws IOException {
        List<String> blocks = blocks("java");
        String name = file.getFileName().toString().replaceFirst("\\W.*", "");
        return IntStream.range(0, blocks.size())
                .mapToObj(i -> Snippet.of(blocks.get(i), "Code" + i + "Of" + name))
                .toList();
    }

    /** Where the links lead that stay within this project. */
    List<Path> links() throws IOException {
        return values("\\]\\((?!https?:)([^)#]+)").stream()
                .map(link -> file.resolveSibling(link))
                .toList();
    }

    /** The rows of all tables whose first head is that one; each row as its cells. */
    List<List<String>> rows(String head) throws IOException {
        return values("(?m)^\\| " + Pattern.quote(head) + " \\|.*\n\\|[-|]+\n((?:\\|.*\n)+)").stream()
                .flatMap(String::lines)
                .map(line -> List.of(line.substring(1).strip().split(" *\\| *")))
                .toList();
    }

    private List<String> values(String regex) throws IOException {
        return Pattern.compile(regex)
                .matcher(text())
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    @Override
    public String toString() {
        return file.getFileName().toString();
    }
}
