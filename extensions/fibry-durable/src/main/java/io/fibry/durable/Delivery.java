package io.fibry.durable;

/** Delivers events to a recipient, outside a transaction. Called by any thread, concurrently for different slices. */
interface Delivery<E> {

    /** Delivers an event. Returns false if the recipient accepts none at the moment. */
    boolean deliver(Recorded<E> event) throws Exception;

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
