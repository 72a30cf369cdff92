package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The program of the first page runs, its test passes, and its versions match the build. */
@Timeout(60)
class StartTest {

    private static final Markdown START = Markdown.document("start");
    private static final Markdown BUILD = new Markdown(Markdown.PROJECT.resolve("pom.xml"));

    @TempDir
    Path classes;

    @AfterEach
    void closeTheDefaultSystem() {
        ActorSystem.defaultSystem().close();
    }

    @Test
    void theProgramPrintsTheDocumentedOutput() throws Exception {
        Snippet program = START.programs().getFirst();
        assertEquals(program.printsAsItSays(), program.run(classes).lines().toList());
        assertEquals(List.of("2 teas"), program.printsAsItSays());
    }

    @Test
    void theTestPasses() throws Exception {
        START.programs().getFirst().compile(classes);
        new Snippet("CounterTest", START.blocks("java").get(1)).compile(classes);
        try (var loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            Class<?> test = loader.loadClass("CounterTest");
            Constructor<?> constructor = test.getDeclaredConstructor();
            constructor.setAccessible(true);
            List<Method> methods = Arrays.stream(test.getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(Test.class))
                    .toList();
            assertEquals(1, methods.size());
            methods.getFirst().setAccessible(true);
            methods.getFirst().invoke(constructor.newInstance());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "junit-jupiter, junit.version",
        "slf4j-simple, slf4j.version",
        "maven-compiler-plugin, maven-compiler-plugin.version",
        "maven-surefire-plugin, maven-surefire-plugin.version",
    })
    void theVersionsMatchTheBuild(String artifact, String property) throws Exception {
        String version = value(BUILD.text(), "<" + property + ">([^<]+)<");
        assertEquals(version, value(START.text(), "<artifactId>" + artifact + "</artifactId>\\s*<version>([^<]+)<"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fibry-core", "fibry-test", "fibry-bom"})
    void itUsesThisVersionOfTheLibrary(String artifact) throws Exception {
        String version = value(BUILD.text(), "<artifactId>fibry-parent</artifactId>\\s*<version>([^<]+)<");
        assertEquals(version, value(START.text(), "<artifactId>" + artifact + "</artifactId>\\s*<version>([^<]+)<"));
    }

    @Test
    void gradleImportsThisVersion() throws Exception {
        String version = value(BUILD.text(), "<artifactId>fibry-parent</artifactId>\\s*<version>([^<]+)<");
        assertEquals(version, value(START.text(), "platform\\('io.fibry:fibry-bom:([^']+)'"));
    }

    @Test
    void itRunsThePluginOfThisBuild() throws Exception {
        String version = value(BUILD.text(), "<exec-maven-plugin.version>([^<]+)<");
        assertEquals(version, value(START.text(), "exec-maven-plugin:([\\d.]+):java"));
    }

    @Test
    void itTakesFiveMinutes() throws Exception {
        assertTrue(START.proseWords() <= 1_400, "words: at most 1,400");
        for (Path link : START.links()) {
            assertTrue(Files.exists(link), link.toString());
        }
    }

    private static String value(String text, String regex) {
        Matcher matcher = Pattern.compile(regex).matcher(text);
        assertTrue(matcher.find(), regex);
        return matcher.group(1);
    }
}
