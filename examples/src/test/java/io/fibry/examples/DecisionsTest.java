package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The architecture decision records are short, have the same sections, and are listed in their index.
 *
 * <p>Seen to fail: a missing section, a link to a file that does not exist, 301 words, a wrong number, a record
 * that the index does not list.
 */
class DecisionsTest {

    private static final Path FOLDER = Markdown.PROJECT.resolve("docs").resolve("adr");
    private static final Markdown INDEX = new Markdown(FOLDER.resolve("README.md"));

    static Stream<Markdown> records() throws Exception {
        return Markdown.documents().stream()
                .filter(file -> file.startsWith(FOLDER))
                .filter(file -> !file.equals(INDEX.file()))
                .map(Markdown::new);
    }

    @ParameterizedTest
    @MethodSource("records")
    void aRecordIsShortAndHasAllSections(Markdown record) throws Exception {
        String text = record.text();
        List<String> sections =
                text.lines().filter(line -> line.startsWith("## ")).toList();
        assertEquals(
                List.of("## Status", "## Context", "## Decision", "## Alternatives rejected", "## Consequences"),
                sections);
        assertTrue(record.proseWords() >= 150 && record.proseWords() <= 300, record.proseWords() + " words");
        for (Path link : record.links()) {
            assertTrue(Files.exists(link), link.toString());
        }
    }

    @Test
    void theNumbersHaveNoGaps() throws Exception {
        List<Markdown> records = records().toList();
        for (int number = 1; number <= records.size(); number++) {
            Markdown record = records.get(number - 1);
            assertTrue(record.toString().startsWith("%04d-".formatted(number)), record.toString());
            assertTrue(record.text().startsWith("# " + number + ". "), record.toString());
        }
    }

    @Test
    void theIndexHasAllRecordsWithTheirTitles() throws Exception {
        List<Markdown> records = records().toList();
        List<String> rows =
                INDEX.rows("number").stream().map(row -> String.join(" ", row)).toList();
        List<String> expected = IntStream.rangeClosed(1, records.size())
                .mapToObj(number -> "[" + number + "](" + records.get(number - 1) + ")")
                .toList();
        assertEquals(expected.size(), rows.size());
        for (int i = 0; i < rows.size(); i++) {
            String title = records.get(i).text().lines().findFirst().orElseThrow();
            assertEquals(expected.get(i) + title.replaceFirst("# \\d+\\.", ""), rows.get(i));
        }
    }
}
