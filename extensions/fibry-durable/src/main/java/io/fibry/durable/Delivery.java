package io.fibry.durable;

import io.fibry.dispatch.Durations;
import java.time.Duration;

/** Delivers events to a recipient, outside a transaction. Called by any thread, concurrently for different slices. */
interface Delivery<E> {

    /** Delivers an event. Returns false if the recipient accepts none at the moment, or if the lease is over. */
    boolean deliver(Recorded<E> event, Lease lease) throws Exception;

    /**
     * The lease of a slice. Afterwards, another node may deliver its events.
     *
     * @param end the {@link System#nanoTime} at which no further delivery may begin
     */
    record Lease(long end) {

        /** A delivery begins at most this long after it has checked the lease. */
        private static final Duration MARGIN = Duration.ofSeconds(1);

        /** A lease that is about to begin. */
        static Lease of(Duration duration) {
            return new Lease(System.nanoTime() + Durations.limitedNanos(duration.minus(MARGIN)));
        }

        boolean isOver() {
            return System.nanoTime() - end >= 0;
        }
    }

    /** Returns whether the recipient may accept an event. */
    default boolean isReady() {
        return true;
    }

    /**
     * The first call.
     *
     * @param close begins to close the projection, and does not wait; the recipient may call it at any time
     */
    default void begin(Runnable close) {}

    /** The last call: the projection is closed, and no delivery runs. */
    default void end() {}
}
