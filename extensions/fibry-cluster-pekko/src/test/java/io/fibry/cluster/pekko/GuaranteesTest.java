package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each guarantee in the table of the guide has a test. Seen to fail: without an annotation, and with another event. */
@Timeout(60)
class GuaranteesTest {

    private static final Path GUIDE = Path.of("..", "..", "docs", "cluster.md");
    private static final Path TESTS = Path.of("src", "test", "java", "io", "fibry", "cluster", "pekko");
    private static final Pattern TABLE = Pattern.compile("(?m)^\\| event \\|.*\n\\|[-|]+\n(?:\\|.*\n)+");

    @Test
    void eachCellOfTheTableHasATest() throws Exception {
        Set<String> documented = documented();
        assertFalse(documented.isEmpty(), "the table is missing");
        assertEquals(documented, tested());
    }

    private static Set<String> documented() throws Exception {
        Matcher table = TABLE.matcher(Files.readString(GUIDE));
        Set<String> cells = new TreeSet<>();
        while (table.find()) {
            List<List<String>> rows =
                    table.group().lines().map(GuaranteesTest::cells).toList();
            List<String> head = rows.getFirst();
            for (List<String> row : rows.subList(2, rows.size())) {
                String event = row.getFirst().replace("`", "").split(":", 2)[0];
                for (int column = 1; column < head.size(); column++) {
                    if (!row.get(column).isEmpty()) {
                        cells.add(event + ": " + head.get(column).replace("`", ""));
                    }
                }
            }
        }
        return cells;
    }

    /** Returns the cells of a row. The first and the last separator are at the ends of the line. */
    private static List<String> cells(String row) {
        return Stream.of(row.substring(1, row.length() - 1).split("\\|", -1))
                .map(String::strip)
                .toList();
    }

    private static Set<String> tested() throws Exception {
        Set<String> cells = new TreeSet<>();
        for (Class<?> test : tests()) {
            for (Method method : test.getDeclaredMethods()) {
                for (Guarantee guarantee : method.getAnnotationsByType(Guarantee.class)) {
                    for (String column : guarantee.of()) {
                        cells.add(guarantee.event() + ": " + column);
                    }
                }
            }
        }
        return cells;
    }

    private static List<Class<?>> tests() throws Exception {
        List<Class<?>> tests = new ArrayList<>();
        try (Stream<Path> files = Files.list(TESTS)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith("Test.java")) {
                    String type = GuaranteesTest.class.getPackageName() + "." + name.substring(0, name.length() - 5);
                    tests.add(Class.forName(type, false, GuaranteesTest.class.getClassLoader()));
                }
            }
        }
        return tests;
    }
}
