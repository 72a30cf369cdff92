package io.fibry.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A document of this project. */
record Markdown(Path file) {

    static final Path PROJECT = Path.of(System.getProperty("basedir", ".")).resolve("..");

    static final Markdown README = new Markdown(PROJECT.resolve("README.md"));

    /** The guides whose code runs here. */
    static Stream<Markdown> guides() {
        return Stream.of(
                        "asking",
                        "lifecycle",
                        "failure",
                        "mailboxes",
                        "names",
                        "stereotypes",
                        "entities",
                        "durable",
                        "durable-messages",
                        "projections",
                        "flow",
                        "worker-pools",
                        "servers",
                        "http-server",
                        "http",
                        "helidon",
                        "testing",
                        "see-inside",
                        "deadlocks",
                        "metrics",
                        "observer",
                        "shop",
                        "fibry-2019")
                .map(Markdown::document);
    }

    /**
     * The guides whose code does not run here: it needs other modules, whose tests run it, or it is no Java code.
     * {@code cluster} needs several nodes, {@code spring-boot} and {@code kotlin} have a {@code GuideTest} in their
     * modules, {@code context} uses a log with an MDC and a tracer, and {@code flight-recorder} and {@code
     * native-images} have commands.
     */
    static Stream<Markdown> guidesOfOtherModules() {
        return Stream.of(
                        "cluster",
                        "cluster-nodes",
                        "kubernetes",
                        "spring-boot",
                        "spring-boot-cluster",
                        "kotlin",
                        "context",
                        "flight-recorder",
                        "native-images")
                .map(Markdown::document);
    }

    /**
     * The pages that are not guides to a feature, and have no section about its limits: {@code tls-and-proxies} has
     * settings of proxies, which {@code NginxGuideTest} runs, and {@code figures} has results.
     */
    static Stream<Markdown> references() {
        return Stream.of("tls-and-proxies", "figures").map(Markdown::document);
    }

    /** The pages that compare programs with other libraries, including the last of the guides. */
    static Stream<Markdown> comparisons() {
        return Stream.of("coming-from-virtual-threads", "coming-from-pekko", "coming-from-vertx", "fibry-2019")
                .map(Markdown::document);
    }

    /** All files in docs and its folders. */
    static List<Path> documents() throws IOException {
        try (var files = Files.walk(PROJECT.resolve("docs"))) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    /** Returns a document in docs. */
    static Markdown document(String name) {
        return new Markdown(PROJECT.resolve("docs").resolve(name + ".md"));
    }

    String text() throws IOException {
        return Files.readString(file);
    }

    /** Returns the number of words outside code blocks. */
    long proseWords() throws IOException {
        String prose = text().replaceAll("(?ms)^ *```.*?^ *```$", "");
        return prose.strip().split("\\s+").length;
    }

    /** Returns the contents of the code blocks of a language. */
    List<String> blocks(String language) throws IOException {
        return values("(?ms)^```" + language + "\n(.*?)^```$");
    }

    /** Returns the lines of code blocks with more columns than allowed, each with its file and number. */
    List<String> codeLongerThan(int columns) throws IOException {
        var found = new ArrayList<String>();
        boolean code = false;
        List<String> lines = text().lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.strip().startsWith("```")) {
                code = !code;
            } else if (code && line.length() > columns) {
                found.add(PROJECT.relativize(file) + ":" + (i + 1) + " has " + line.length() + " columns: " + line);
            }
        }
        return found;
    }

    /** Returns the Java code blocks as programs. */
    List<Snippet> programs() throws IOException {
        List<String> blocks = blocks("java");
        String name = file.getFileName().toString().replaceFirst("\\W.*", "");
        return IntStream.range(0, blocks.size())
                .mapToObj(i -> Snippet.of(blocks.get(i), "Code" + i + "Of" + name))
                .toList();
    }

    /** Returns the targets of the links within this project. */
    List<Path> links() throws IOException {
        return values("\\]\\((?!https?:)([^)#]+)").stream()
                .map(link -> file.resolveSibling(link))
                .toList();
    }

    /** Returns the rows of all tables whose first column has the given header, each as a list of cells. */
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
