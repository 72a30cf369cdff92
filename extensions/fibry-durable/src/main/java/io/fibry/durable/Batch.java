package io.fibry.durable;

/** Handles the next events of a slice. Safe for use by any thread; each slice is handled by one thread at a time. */
interface Batch {

    /** The maximum number of events of a batch. */
    int MAX_EVENTS = 500;

    /**
     * Handles at most this number of events.
     *
     * @throws EventFailure if an event fails; the events before it have been handled, or are to be repeated
     * @throws Exception if the database fails
     */
    Outcome run(int slice, int limit) throws Exception;

    /**
     * Called before the first batch.
     *
     * @param close begins to close the projection, and does not wait; may be called at any time
     */
    default void begin(Runnable close) {}

    /** Called after the last batch. */
    default void end() {}

    /**
     * The result of a batch.
     *
     * @param events the number of events whose position has been stored
     * @param hasMore whether a further batch can follow at once
     */
    record Outcome(int events, boolean hasMore) {

        static final Outcome NONE = new Outcome(0, false);
    }

    /** Whether batches are to end after the current event, because the projection pauses or closes. */
    interface Halt {
        boolean isRequested();
    }
}
