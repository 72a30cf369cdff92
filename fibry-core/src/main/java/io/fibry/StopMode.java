package io.fibry;

/**
 * How an actor stops. Every mode refuses new messages from the moment of the call; they differ in what happens to those
 * already accepted. A stop can only be made harder: {@code DRAIN}, then {@code DISCARD}, then {@code INTERRUPT}.
 */
public enum StopMode {
    /**
     * Handle every accepted message, then end. Until the children have ended, what they send from their behaviors is accepted and
     * handled too, since they may need the answers for their end.
     */
    DRAIN,
    /** Finish the message in work; the others become dead letters, and their asks fail. */
    DISCARD,
    /** As {@link #DISCARD}, and interrupt the thread that handles the message in work. */
    INTERRUPT
}
