package io.fibry.net;

import io.fibry.dispatch.Alarm;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at all connections of an acceptor again and again, and resets those whose time is over. It needs no thread: an
 * {@link Alarm} runs it.
 */
final class ConnectionTimer {

    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final Logger LOG = LoggerFactory.getLogger(TcpAcceptor.class);

    private final LongConsumer check;
    private final long period;
    private volatile boolean stopped;
    private volatile @Nullable Alarm next;

    /** The check gets the time; it is for timeouts of so many nanoseconds or more. */
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

    private void tick() {
        try {
            check.accept(System.nanoTime());
        } catch (RuntimeException | Error e) {
            LOG.error("The timeouts of connections could not be looked after, for this time", e);
        } finally {
            startInAnyCase();
        }
    }

    /** Or nobody would look after the timeouts any more. So this waits for memory if it has to. */
    private void startInAnyCase() {
        while (true) {
            try {
                start();
                return;
            } catch (OutOfMemoryError e) {
                LockSupport.parkNanos(SHORTEST_NANOS);
            }
        }
    }

    /** Any thread, any number of times. */
    void stop() {
        stopped = true;
        Alarm planned = next;
        if (planned != null) {
            planned.cancel();
        }
    }
}
