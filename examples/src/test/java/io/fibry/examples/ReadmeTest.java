package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The code of the README compiles without warnings and runs, and the targets of its commands exist. */
@Timeout(60)
class ReadmeTest {

    private static final Markdown EXAMPLES = new Markdown(Markdown.PROJECT.resolve("examples/README.md"));
    private static final Markdown FIGURES = Markdown.document("figures");

    @TempDir
    Path classes;

    @AfterEach
    void closeTheDefaultSystem() {
        ActorSystem.defaultSystem().close();
    }

    static List<Snippet> programs() throws Exception {
        return Markdown.README.programs();
    }

    @ParameterizedTest
    @MethodSource("programs")
    void javaCompilesAndRuns(Snippet snippet) throws Exception {
        snippet.run(classes);
    }

    @Test
    void theFirstProgramPrintsTheDocumentedOutput() throws Exception {
        Snippet hello = programs().getFirst();
        assertEquals("Hello", hello.name());
        hello.compile(classes);
        assertEquals("7 squared is 49", outputOfItsOwnJvm(hello.name()).strip());
        assertTrue(hello.code().lines().count() <= 10, "ten lines");
    }

    /** Runs a separate JVM: the main method returns before the text is printed, and the JVM must wait for it. */
    private String outputOfItsOwnJvm(String main) throws IOException {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classes + File.pathSeparator + System.getProperty("java.class.path"),
                        main)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            jvm.destroyForcibly();
        }
    }

    @Test
    void theTwoCommandsAreOnTheFirstScreen() throws Exception {
        List<String> commands = Markdown.README.blocks("sh");
        assertEquals("mvn -q -pl examples -am compile exec:exec\n", commands.get(0));
        assertEquals("mvn verify\n", commands.get(1));
    }

    @Test
    void itIsShort() throws Exception {
        assertTrue(Markdown.README.proseWords() <= 1_600, "words: at most 1,600");
    }

    @ParameterizedTest
    @MethodSource("documentsWithCommands")
    void commandsNameModulesAndExamplesThatAreThere(Markdown document) throws Exception {
        for (String command : document.blocks("sh")) {
            for (String module : values(command, "-pl ([\\w-]+)")) {
                assertTrue(Files.exists(Markdown.PROJECT.resolve(module).resolve("pom.xml")), command);
            }
            for (String example : values(command, "-Dexample=(\\w+)")) {
                Class.forName("io.fibry.examples." + example).getMethod("main", String[].class);
            }
        }
    }

    static Stream<Markdown> documentsWithCommands() {
        return Stream.of(Markdown.README, EXAMPLES, FIGURES, Markdown.document("start"));
    }

    @Test
    void commandsNameBenchmarksThatAreThere() throws Exception {
        Path sources = Markdown.PROJECT.resolve("fibry-bench/src/main/java/io/fibry/bench");
        List<String> named =
                values(String.join("", FIGURES.blocks("sh")), "(?:-Dbench=|\\b(?=\\w+Benchmark))([\\w.]+)");
        assertTrue(named.size() > 2, named.toString());
        for (String name : named) {
            String program = name.startsWith("report.") ? name.replace('.', '/') : name.replaceAll("\\..*", "");
            assertTrue(Files.exists(sources.resolve(program + ".java")), name);
        }
    }

    @Test
    void allExamplesAreListedAndShort() throws Exception {
        Path sources = Markdown.PROJECT.resolve("examples/src/main/java/io/fibry/examples");
        try (var files = Files.newDirectoryStream(sources, "*.java")) {
            for (Path file : files) {
                String name = file.getFileName().toString().replace(".java", "");
                assertTrue(EXAMPLES.text().contains("| `" + name + "` |"), name);
                assertTrue(Files.readAllLines(file).size() <= 90, name);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("documentsWithLinks")
    void linksOfThisProjectLeadSomewhere(Markdown document) throws Exception {
        for (Path link : document.links()) {
            assertTrue(Files.exists(link), link.toString());
        }
    }

    static Stream<Markdown> documentsWithLinks() {
        Stream<Markdown> others = Stream.of("CONTRIBUTING.md", "CHANGELOG.md", "docs/design.md")
                .map(name -> new Markdown(Markdown.PROJECT.resolve(name)));
        return Stream.concat(documentsWithCommands(), others);
    }

    private static List<String> values(String text, String regex) {
        return Pattern.compile(regex)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .toList();
    }
}
