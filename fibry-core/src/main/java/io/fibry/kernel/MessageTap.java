package io.fibry.kernel;

import io.fibry.Actor;

/**
 * Receives the measurements of sampled messages. Its methods run on the threads of the actors, possibly on several
 * concurrently, so they have to be quick. A message that is discarded is not measured.
 */
public interface MessageTap {

    /**
     * Called when a behavior has returned or thrown.
     *
     * @param waited the time from the send to the begin of the handler, in nanoseconds, with the wait for room in a
     *     full mailbox; of a message that was stashed, the time since it was put back
     * @param handled the time of the handler, in nanoseconds
     */
    void handled(SampledMessage message, Actor<?> receiver, long waited, long handled, boolean hasFailed);

    /**
     * Called when an ask has completed in any way.
     *
     * @param nanos the time since the ask, in nanoseconds
     */
    default void replied(SampledMessage message, Actor<?> receiver, long nanos, boolean hasFailed) {}
}
