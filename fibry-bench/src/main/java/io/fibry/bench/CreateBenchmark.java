package io.fibry.bench;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs to create an actor that does nothing yet.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="CreateBenchmark -prof gc"}
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class CreateBenchmark {

    @Benchmark
    public Actor<String> idle() {
        return ActorSystem.anonymous().strategy(ThreadStrategy.virtual()).newActor((String message) -> {});
    }

    @Benchmark
    public Object idleOfFibry241() {
        return eu.lucaventuri.fibry.ActorSystem.anonymous()
                .strategy(eu.lucaventuri.fibry.CreationStrategy.FIBER)
                .newActor((String message) -> {});
    }
}
