package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.DeadLetter;
import io.fibry.HandledMessages;
import io.fibry.SystemStats;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.MessageSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts the outcomes of the messages of a system. Each {@linkplain ActorThread runner} counts the messages that it
 * handles; a read adds them up. The other outcomes are rare.
 */
final class MessageCounts {

    private static final long PAUSE_BETWEEN_LINES_NANOS = Duration.ofSeconds(1).toNanos();

    private static final MessageSource[] SOURCES = MessageSource.values();

    /** Messages handled by runners that have ended, by source. */
    private final LongAdder[] handled = {new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder()};

    /**
     * The read lock is held to move a count. The write lock is held to sum up the counts; otherwise a count that is
     * being moved would be added twice, or not at all.
     */
    private final StampedLock moves = new StampedLock();

    final LongAdder refused = new LongAdder();
    final LongAdder dropped = new LongAdder();
    private final LongAdder dead = new LongAdder();

    /** Exceptions of behaviors, of all actors, including ended ones. The same holds for the restarts. */
    final LongAdder failures = new LongAdder();

    final LongAdder restarts = new LongAdder();

    /** Ticks of {@link io.fibry.ActorContext#every} that were skipped. */
    final LongAdder missedTicks = new LongAdder();

    final IncidentListeners incidents = new IncidentListeners();
    private volatile @Nullable Consumer<? super DeadLetter> handler;
    private final AtomicLong nextLine = new AtomicLong(System.nanoTime());
    private final LongAdder sinceLastLine = new LongAdder();

    void setHandler(Consumer<? super DeadLetter> handler) {
        this.handler = handler;
    }

    /** Adds the count of a runner that is about to end to the sum. Called by its own thread. */
    void gone(ActorThread runner) {
        long stamp = moves.readLock();
        try {
            for (MessageSource source : SOURCES) {
                long number = runner.takeHandled(source);
                if (number != 0) {
                    handled[source.index].add(number);
                }
            }
        } finally {
            moves.unlockRead(stamp);
        }
    }

    /** Returns the sums. The function passes all current runners to its argument. */
    SystemStats counters(Consumer<Consumer<ActorThread>> forEachRunner) {
        long stamp = moves.writeLock();
        try {
            long[] sums = new long[SOURCES.length];
            for (MessageSource source : SOURCES) {
                sums[source.index] = handled[source.index].sum();
            }
            forEachRunner.accept(runner -> {
                for (MessageSource source : SOURCES) {
                    sums[source.index] += runner.handled(source);
                }
            });
            return new SystemStats(
                    new HandledMessages(
                            sums[MessageSource.SENT.index],
                            sums[MessageSource.TIMER.index],
                            sums[MessageSource.PIPED.index],
                            sums[MessageSource.INTERNAL.index]),
                    refused.sum(),
                    dropped.sum(),
                    dead.sum());
        } finally {
            moves.unlockWrite(stamp);
        }
    }

    void deadLetter(Actor<?> actor, Object message, DeadLetter.Reason reason) {
        dead.increment();
        JfrEvents.deadLetter(actor, message, reason);
        incidents.deadLetter(actor, message, reason);
        Consumer<? super DeadLetter> h = handler;
        try {
            if (h != null) {
                h.accept(new DeadLetter(actor, message, reason));
            } else {
                log(actor, message, reason);
            }
        } catch (Throwable t) {
            KernelLog.failed(actor, h != null ? "dead-letter handler" : "report of a dead letter", t);
        }
    }

    /** Called when the system is closed: logs the number of dead letters not yet reported by a line. */
    void logRest() {
        long rest = sinceLastLine.sumThenReset();
        if (rest > 0) {
            KernelLog.lastDeadLetters(rest);
        }
    }

    /**
     * Logs at most one line a second, with the number of dead letters, so that a stop with a long mailbox does not
     * flood the log.
     */
    private void log(Actor<?> actor, Object message, DeadLetter.Reason reason) {
        sinceLastLine.increment();
        long due = nextLine.get();
        long now = System.nanoTime();
        if (now - due >= 0 && nextLine.compareAndSet(due, now + PAUSE_BETWEEN_LINES_NANOS)) {
            KernelLog.deadLetter(actor, message.getClass(), reason, sinceLastLine.sumThenReset());
        }
    }
}
