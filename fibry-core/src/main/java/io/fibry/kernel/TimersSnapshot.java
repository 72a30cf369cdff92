package io.fibry.kernel;

import io.fibry.ActorContext;
import java.util.List;

/**
 * The scheduled timers of an actor, as {@link ActorView#timers} reads them: those of {@link ActorContext#after} and
 * {@link ActorContext#every}, and the {@linkplain ActorContext#receiveTimeout receive timeout}.
 *
 * @param read the timers that were read, at most {@link #MOST_READ}: the receive timeout, and those that were started
 *     first, in the order of their start
 * @param all the number of all timers
 */
public record TimersSnapshot(List<Scheduled> read, long all) {

    /** The lock of the actor is held while this number of timers is read, which takes some microseconds. */
    public static final int MOST_READ = 1_000;

    public static final TimersSnapshot NONE = new TimersSnapshot(List.of(), 0);

    /**
     * A timer. The times are in nanoseconds.
     *
     * @param type the class of its message
     * @param left the time until it is due; not positive if it is due, and its message has not been handled yet
     * @param period the time between two messages, or the time of the receive timeout; 0 for a timer that ticks once
     */
    public record Scheduled(Class<?> type, long left, long period, boolean isReceiveTimeout) {}
}
