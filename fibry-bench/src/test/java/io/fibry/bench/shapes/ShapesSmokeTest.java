package io.fibry.bench.shapes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.bench.net.Programs;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
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
        "EntitiesBenchmark, 4, 0",
        "SlowEntitiesBenchmark, 2, 0",
        "WorkerPoolBenchmark, 4, 0",
        "KeyedPoolBenchmark, 6, 0",
        "TopicBenchmark, 5, 1",
        "GeneratorBenchmark, 2, 0",
        "BatcherBenchmark, 2, 0",
        "MapReduceBenchmark, 6, 0",
        "ShortMapReduceBenchmark, 3, 1",
        "PipelineBenchmark, 2, 1",
        "ShortLivesBenchmark, 8, 2",
        "ShortLivesFromActorBenchmark, 2, 0",
        "SleepersBenchmark, 3, 1"
    })
    void smoke(String benchmark, int combinations, int inGo) throws ReflectiveOperationException, RunnerException {
        boolean hasGo = Programs.missingGo() == null;
        ChainedOptionsBuilder once = new OptionsBuilder()
                .include("\\.shapes\\." + benchmark + "\\.")
                .param("keys", "10", "100")
                .param("subscribers", "50")
                .param("sleepers", "5")
                .mode(Mode.SingleShotTime)
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        if (!hasGo && inGo > 0) {
            once.param(
                    "peer", peers(benchmark).filter(peer -> !peer.equals("GO")).toArray(String[]::new));
        }
        int expected = combinations + (hasGo ? inGo : 0);
        assertEquals(expected, new Runner(once.build()).run().size());
    }

    private static Stream<String> peers(String benchmark) throws ReflectiveOperationException {
        Class<?> type = Class.forName(ShapeBenchmark.class.getPackageName() + "." + benchmark);
        return Stream.of(type.getField("peer").getAnnotation(Param.class).value());
    }
}
