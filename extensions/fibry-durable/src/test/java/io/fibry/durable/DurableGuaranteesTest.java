package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Each guarantee of stored entities and projections names the tests that show it, and these tests exist.
 *
 * <p>Seen to fail: a row without a test, a method and a class that do not exist, a method that is no test.
 */
@Timeout(60)
class DurableGuaranteesTest {

    private static final Path EXTENSIONS = Path.of("..");
    private static final Path GUIDE = Path.of("..", "..", "docs", "durable.md");
    private static final Pattern NAME = Pattern.compile("`(\\w+)(?:#(\\w+))?`");

    @Test
    void theTestsOfEachRowExist() throws Exception {
        Map<String, Path> tests = tests();
        GuideTable table = GuideTable.read(GUIDE, "case");
        assertTrue(table.head().getLast().equals("tests"), () -> table.head().toString());
        for (List<String> row : table.rows()) {
            List<MatchResult> names = NAME.matcher(row.getLast()).results().toList();
            assertFalse(names.isEmpty(), "no test: " + row.getFirst());
            for (MatchResult name : names) {
                Path test = tests.get(name.group(1));
                assertTrue(test != null && isTest(Files.readString(test), name.group(2)), name.group());
            }
        }
    }

    /** Returns the files of the tests by their names. An abstract case has the tests of its subclasses. */
    private static Map<String, Path> tests() throws IOException {
        Map<String, Path> tests = new HashMap<>();
        try (Stream<Path> extensions = Files.list(EXTENSIONS)) {
            for (Path extension : extensions.toList()) {
                Path sources = extension.resolve("src").resolve("test").resolve("java");
                if (Files.isDirectory(sources)) {
                    try (Stream<Path> files = Files.walk(sources)) {
                        files.filter(Files::isRegularFile)
                                .forEach(file ->
                                        tests.put(file.getFileName().toString().replaceFirst("\\.\\w+$", ""), file));
                    }
                }
            }
        }
        return tests;
    }

    /** Returns whether a class has this test, or any test if the method is null. */
    private static boolean isTest(String source, String method) {
        String name = method == null ? "\\w+" : method;
        return Pattern.compile("@(?:Test|ParameterizedTest|RepeatedTest|ActorTest)\\b[^{};]*?(?:\\{[^{};]*\\}[^{};]*?)?"
                        + "\\bvoid " + name + "\\(")
                .matcher(source)
                .find();
    }
}
