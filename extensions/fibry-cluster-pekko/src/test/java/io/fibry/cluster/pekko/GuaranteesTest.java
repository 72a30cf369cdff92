package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.fibry.durable.GuideTable;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each guarantee in the table of the guide has a test. Seen to fail: without an annotation, and with another event. */
@Timeout(60)
class GuaranteesTest {

    private static final Path GUIDE = Path.of("..", "..", "docs", "cluster.md");
    private static final Path TESTS = Path.of("src", "test", "java", "io", "fibry", "cluster", "pekko");

    @Test
    void eachCellOfTheTableHasATest() throws Exception {
        Set<String> documented = documented();
        assertFalse(documented.isEmpty(), "the table is missing");
        assertEquals(documented, tested());
    }

    private static Set<String> documented() throws Exception {
        GuideTable table = GuideTable.read(GUIDE, "event");
        Set<String> cells = new TreeSet<>();
        for (List<String> row : table.rows()) {
            String event = row.getFirst().replace("`", "").split(":", 2)[0];
            for (int column = 1; column < table.head().size(); column++) {
                if (!row.get(column).isEmpty()) {
                    cells.add(event + ": " + table.head().get(column).replace("`", ""));
                }
            }
        }
        return cells;
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
