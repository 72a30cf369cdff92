package io.fibry.bench.comingfrom;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The code of other libraries in the documents equals the classes in this package, which print the documented output.
 * The tests of the examples run the code of this library in the documents.
 */
@Timeout(60)
class ComingFromTest {

    private static final Path PROJECT =
            Path.of(System.getProperty("basedir", ".")).resolve("..");

    @ParameterizedTest
    @CsvSource({
        "coming-from-virtual-threads, threads, ThreadsSeat",
        "coming-from-pekko, pekko, PekkoSeat",
        "coming-from-vertx, vertx, VertxSeat",
        "fibry-2019, fibry2019, Fibry2019Seat"
    })
    void theCodeOfThePageRunsAndPrintsTheDocumentedOutput(String page, String library, String program)
            throws Exception {
        String text = Files.readString(PROJECT.resolve("docs").resolve(page + ".md"));
        String source = Files.readString(PROJECT.resolve("fibry-bench/src/test/java")
                .resolve(getClass().getPackageName().replace('.', '/'))
                .resolve(program + ".java"));
        Matcher both = Pattern.compile("(?ms)^```java " + library + "\n(.*?)^```\n\n```java\n(.*?)^```$")
                .matcher(text);
        assertTrue(both.find(), "no code of " + library + " beside ours");
        String theirs = both.group(1);
        assertTrue(withoutSpace(source).contains(withoutSpace(theirs)), () -> "not in " + program + ":\n" + theirs);
        List<String> printed = values(both.group(2), "// prints (.*)");
        assertFalse(printed.isEmpty(), "our code does not say what it prints");
        assertEquals(printed, output(program));
    }

    @ParameterizedTest
    @CsvSource({"threads", "pekko", "vertx", "fibry2019"})
    void noOtherPageHasCodeThatIsNotCompiled(String library) throws Exception {
        try (var pages = Files.newDirectoryStream(PROJECT.resolve("docs"), "*.md")) {
            long count = 0;
            for (Path page : pages) {
                count += values(Files.readString(page), "(?m)^```java (" + library + ")$")
                        .size();
            }
            assertEquals(1, count);
        }
    }

    private List<String> output(String program) throws Exception {
        var bytes = new ByteArrayOutputStream();
        PrintStream console = System.out;
        System.setOut(new PrintStream(bytes, true, UTF_8));
        try {
            Class.forName(getClass().getPackageName() + "." + program)
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(console);
        }
        return bytes.toString(UTF_8)
                .lines()
                .filter(line -> line.contains("seat"))
                .toList();
    }

    /** Removes all white space, because a page is narrower than a source file: its lines break at other places. */
    private static String withoutSpace(String code) {
        return code.replaceAll("\\s+", "");
    }

    private static List<String> values(String text, String regex) {
        return Pattern.compile(regex)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .toList();
    }
}
