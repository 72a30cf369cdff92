package io.fibry.testing;

import static org.junit.jupiter.api.Named.named;

import io.fibry.ThreadStrategy;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;

/** The strategies that a test runs on. */
public final class TestStrategies {

    /** As many threads as are wanted, so that handlers may block; they end with the JVM. */
    private static final Executor POOL = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("test-pool-", 0).factory());

    private TestStrategies() {}

    public static Stream<Named<ThreadStrategy>> all() {
        return Stream.of(
                named("virtual", ThreadStrategy.virtual()),
                named("platform", ThreadStrategy.platform()),
                named("pool", ThreadStrategy.pool(POOL)));
    }
}
