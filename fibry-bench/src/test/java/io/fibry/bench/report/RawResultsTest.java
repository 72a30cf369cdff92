package io.fibry.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files have JMH's format, and accumulate forks. */
class RawResultsTest {

    @TempDir
    private Path folder;

    @Test
    void aFileCanBeReadAgain() throws IOException {
        var results = new RawResults();
        results.add(Fakes.result("some.Ring.hop", Map.of("peer", "A"), 2));
        results.add(Fakes.result("some.Ring.hop", Map.of("peer", "A"), 4));
        results.add(Fakes.result("some.Ring.hop", Map.of("peer", "B"), 6));
        Path file = folder.resolve("jmh.json");
        results.write(file);
        assertEquals(results.figures(), RawResults.read(file).figures());

        JsonNode first = RawResults.JSON.readTree(file.toFile()).get(0);
        assertEquals(2, first.get("forks").asInt());
        assertEquals("[[2.0],[4.0]]", first.at("/primaryMetric/rawData").toString());
        assertEquals(3.0, first.at("/primaryMetric/score").asDouble());
        assertEquals(300.0, first.at("/secondaryMetrics/peakMemory/score").asDouble());
        assertEquals("java", first.get("jvm").asText());
    }

    @Test
    void samplesAreCounted() throws IOException {
        JsonNode array = RawResults.JSON.readTree("""
            [{"benchmark": "some.Answer.time", "mode": "sample", "forks": 1, "primaryMetric": {
              "scoreUnit": "us/op", "rawDataHistogram": [[[[1.0, 1], [7.0, 3]], [[9.0, 1]]]]}}]
            """);
        var results = new RawResults();
        results.add(array);
        results.add(array);
        assertEquals(List.of(7.0, 7.0), results.figures().get(0).forks());
    }

    @Test
    void noFileMeansNoResultsAndWrongOnesAreRefused() throws IOException {
        assertEquals(List.of(), RawResults.read(folder.resolve("none.json")).figures());
        Path wrong = Files.writeString(folder.resolve("wrong.json"), "{}");
        assertThrows(IOException.class, () -> RawResults.read(wrong));
        assertFalse(Files.exists(folder.resolve("wrong.json.part")));
    }
}
