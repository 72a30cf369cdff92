package io.fibry.bench.shapes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Every benchmark of stereotypes with every peer and parameter, once, with little work. They check their results;
 * nothing is measured.
 */
class ShapesSmokeTest {

    @ParameterizedTest
    @Timeout(120)
    @CsvSource({
        "EntitiesBenchmark, 4",
        "SlowEntitiesBenchmark, 2",
        "WorkerPoolBenchmark, 4",
        "TopicBenchmark, 5",
        "GeneratorBenchmark, 2",
        "BatcherBenchmark, 2",
        "MapReduceBenchmark, 6",
        "ShortMapReduceBenchmark, 3",
        "PipelineBenchmark, 2",
        "ShortLivesBenchmark, 8",
        "ShortLivesFromActorBenchmark, 2",
        "SleepersBenchmark, 3"
    })
    void smoke(String benchmark, int combinations) throws RunnerException {
        Options once = new OptionsBuilder()
                .include("\\.shapes\\." + benchmark + "\\.")
                .param("keys", "10", "100")
                .param("subscribers", "50")
                .param("sleepers", "5")
                .mode(Mode.SingleShotTime)
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
        assertEquals(combinations, new Runner(once).run().size());
    }
}
