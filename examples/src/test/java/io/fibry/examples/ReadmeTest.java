package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the README shows compiles without a warning and runs, and what it tells to run is there. */
@Timeout(60)
class ReadmeTest {

    @TempDir
    Path classes;

    @AfterEach
    void closeTheDefaultSystem() {
        ActorSystem.defaultSystem().close();
    }

    static Stream<Readme.Source> programs() throws Exception {
        List<String> blocks = Readme.blocks("java");
        return IntStream.range(0, blocks.size()).mapToObj(i -> Readme.Source.of(blocks.get(i), i));
    }

    @ParameterizedTest
    @MethodSource("programs")
    void javaCompilesAndRuns(Readme.Source source) throws Exception {
        compile(source);
        try (var loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            var main = loader.loadClass(source.name()).getMethod("main", String[].class);
            Output.of(() -> main.invoke(null, (Object) new String[0]));
        }
    }

    @Test
    void theFirstProgramPrintsWhatItSays() throws Exception {
        var hello = Readme.Source.of(Readme.blocks("java").getFirst(), 0);
        compile(hello);
        try (var loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            var main = loader.loadClass("Hello").getMethod("main", String[].class);
            String output = Output.of(() -> main.invoke(null, (Object) new String[0]));
            assertEquals("7 squared is 49", output.strip());
        }
        assertTrue(hello.code().lines().count() <= 10, "ten lines");
    }

    private void compile(Readme.Source source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        var file = new SimpleJavaFileObject(URI.create(source.name() + ".java"), SimpleJavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source.code();
            }
        };
        List<String> options = List.of("-Xlint:all,-processing", "-Werror", "-proc:none", "-d", classes.toString());
        var messages = new StringWriter();
        boolean compiled = compiler.getTask(messages, null, null, options, null, List.of(file))
                .call();
        assertTrue(compiled, () -> messages + source.code());
    }

    @Test
    void theTwoCommandsAreOnTheFirstScreen() throws Exception {
        List<String> commands = Readme.blocks("sh");
        assertEquals("mvn -q -pl examples -am compile exec:exec\n", commands.get(0));
        assertEquals("mvn verify\n", commands.get(1));
    }

    @Test
    void commandsNameModulesAndExamplesThatAreThere() throws Exception {
        for (String command : Readme.blocks("sh")) {
            for (String module : values(command, "-pl ([\\w-]+)")) {
                assertTrue(Files.exists(Readme.PROJECT.resolve(module).resolve("pom.xml")), command);
            }
            for (String example : values(command, "-Dexample=(\\w+)")) {
                Class.forName("io.fibry.examples." + example).getMethod("main", String[].class);
            }
        }
    }

    @Test
    void commandsNameBenchmarksThatAreThere() throws Exception {
        Path sources = Readme.PROJECT.resolve("fibry-bench/src/main/java/io/fibry/bench");
        List<String> named = values(String.join("", Readme.blocks("sh")), "(?:-Dbench=|\\b(?=\\w+Benchmark))([\\w.]+)");
        assertTrue(named.size() > 2, named.toString());
        for (String name : named) {
            String program = name.startsWith("report.") ? name.replace('.', '/') : name.replaceAll("\\..*", "");
            assertTrue(Files.exists(sources.resolve(program + ".java")), name);
        }
    }

    @Test
    void allExamplesAreListedAndShort() throws Exception {
        Path sources = Readme.PROJECT.resolve("examples/src/main/java/io/fibry/examples");
        try (var files = Files.newDirectoryStream(sources, "*.java")) {
            for (Path file : files) {
                String name = file.getFileName().toString().replace(".java", "");
                assertTrue(Readme.text().contains("| `" + name + "` |"), name);
                assertTrue(Files.readAllLines(file).size() <= 40, name);
            }
        }
    }

    @Test
    void linksOfThisProjectLeadSomewhere() throws Exception {
        for (String link : values(Readme.text(), "\\]\\((?!https?:)([^)#]+)\\)")) {
            assertTrue(Files.exists(Readme.PROJECT.resolve(link)), link);
        }
    }

    private static List<String> values(String text, String regex) {
        return Pattern.compile(regex)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .toList();
    }
}
