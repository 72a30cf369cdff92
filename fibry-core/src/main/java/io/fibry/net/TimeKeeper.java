package io.fibry.net;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks at all connections of an acceptor again and again, and resets those whose time is over. It needs no thread: the
 * JDK's timer runs it.
 */
final class TimeKeeper {

    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Connections connections;
    private final long period;
    private volatile boolean stopped;
    private volatile @Nullable CompletableFuture<?> next;

    /** For timeouts of so many nanoseconds or more. */
    TimeKeeper(Connections connections, long shortest) {
        this.connections = connections;
        period = Math.clamp(shortest / 8, SHORTEST_NANOS, LONGEST_NANOS);
    }

    void start() {
        var tick = new CompletableFuture<Void>();
        CompletableFuture<Void> unused = tick.thenRun(this::tick);
        next = tick;
        tick.completeOnTimeout(null, period, TimeUnit.NANOSECONDS);
        if (stopped) {
            tick.cancel(false);
        }
    }

    private void tick() {
        long now = System.nanoTime();
        connections.live().forEach(connection -> connection.checkTime(now));
        start();
    }

    /** Any thread, any number of times. The JDK drops the timer's entry when the future is done before its time. */
    void stop() {
        stopped = true;
        CompletableFuture<?> planned = next;
        if (planned != null) {
            planned.cancel(false);
        }
    }
}
