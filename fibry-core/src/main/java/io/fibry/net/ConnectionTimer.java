package io.fibry.net;

import io.fibry.dispatch.Alarm;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the timeouts of all connections of an acceptor periodically. An {@link Alarm} runs each check, so the timer
 * has no thread of its own.
 */
final class ConnectionTimer {

    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final Logger LOG = LoggerFactory.getLogger(TcpAcceptor.class);

    private final LongConsumer check;
    private final long period;
    private volatile boolean stopped;
    private volatile @Nullable Alarm next;

    /**
     * Creates a timer. The check gets the current {@link System#nanoTime}. Its period is an eighth of the shortest
     * timeout, but at least 1 ms and at most 1 s.
     */
    ConnectionTimer(LongConsumer check, long shortest) {
        this.check = check;
        period = Math.clamp(shortest / 8, SHORTEST_NANOS, LONGEST_NANOS);
    }

    void start() {
        var alarm = new Alarm();
        next = alarm;
        alarm.start(period, this::tick);
        if (stopped) {
            alarm.cancel();
        }
    }

    /** The alarm repeats this action if memory runs out for the next alarm, whose start therefore comes last. */
    private void tick() {
        try {
            checkAll();
        } catch (RuntimeException
                | Error ignored) { // of the logger; without the next alarm, no timeout would be checked
        }
        start();
    }

    private void checkAll() {
        try {
            check.accept(System.nanoTime());
        } catch (RuntimeException | Error e) {
            LOG.error("The timeouts of connections could not be checked this time", e);
        }
    }

    /** May be called by any thread, any number of times. */
    void stop() {
        stopped = true;
        Alarm planned = next;
        if (planned != null) {
            planned.cancel();
        }
    }
}
