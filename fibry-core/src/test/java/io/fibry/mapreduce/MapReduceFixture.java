package io.fibry.mapreduce;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingFunction;
import io.fibry.testing.NoLeftovers;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/** Starts map-reduce runs for tests. */
@ExtendWith(NoLeftovers.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
abstract class MapReduceFixture {

    static final MapReduceOptions FOUR = MapReduceOptions.defaults().parallelism(4);

    final ActorSystem system = ActorSystem.create();

    @AfterEach
    void close() {
        system.close();
    }

    /** The sum of the mapped numbers from 1 on. */
    MapReduce<Integer> sum(
            ThreadStrategy strategy, int n, ThrowingFunction<Integer, Integer> mapper, MapReduceOptions options) {
        return MapReduce.start(
                system.actor().strategy(strategy),
                IntStream.rangeClosed(1, n).boxed(),
                mapper,
                0,
                Integer::sum,
                options);
    }

    /** The sum of the mapped numbers from 1 on, without an end. */
    MapReduce<Integer> endlessSum(ThreadStrategy strategy, ThrowingFunction<Integer, Integer> mapper) {
        return MapReduce.start(
                system.actor().strategy(strategy), Stream.iterate(1, n -> n + 1), mapper, 0, Integer::sum, FOUR);
    }

    static <R> R value(MapReduce<R> run) throws Exception {
        return run.result().get(30, TimeUnit.SECONDS);
    }

    static Throwable failure(MapReduce<?> run) {
        return assertThrows(ExecutionException.class, () -> run.result().get(30, TimeUnit.SECONDS))
                .getCause();
    }
}
