package io.fibry.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.bench.peers.Peers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs every benchmark once with every supported peer, with a small load and in this JVM. The benchmarks check their
 * results. Nothing is measured.
 */
class SmokeTest {

    static Stream<Map.Entry<String, Peers>> pairs() {
        return BenchmarkClasses.pairs();
    }

    @ParameterizedTest
    @MethodSource("pairs")
    @Timeout(60)
    void smoke(Map.Entry<String, Peers> pair) throws RunnerException {
        Options once = new OptionsBuilder()
                .include("\\." + pair.getKey() + "\\.")
                .param("peer", pair.getValue().name())
                .param("handlers", "50")
                .param("requests", "600")
                .param("sleepers", "5")
                .param("delays", "50")
                .param("live", "10", "100")
                .mode(Mode.SingleShotTime)
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .addProfiler(SideResults.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
        var results = new Runner(once).run();
        assertFalse(results.isEmpty());
        for (RunResult result : results) {
            assertTrue(result.getPrimaryResult().getScore() > 0);
            assertEquals(
                    Files.exists(Path.of("/proc/self/task")),
                    result.getSecondaryResults().containsKey("wakeUps"));
        }
    }
}
