package io.fibry;

/**
 * How an actor stops. With every mode, the actor refuses new messages from the moment of the call; the modes differ in
 * the treatment of accepted messages. The constants are in the order of their hardness. A harder mode replaces a softer
 * one; a softer mode has no effect after a harder one.
 */
public enum StopMode {
    /**
     * Handle every accepted message, then end. The actor still accepts messages that it sends to itself. Until its
     * children have ended, it also accepts messages that they send from their behaviors, because they may need the
     * replies. The actor also waits for results of {@link ActorContext#pipeToSelf} and for one-shot
     * {@linkplain ActorContext#after timers}.
     */
    DRAIN,
    /** Finish the message being handled, then end. Waiting messages become dead letters, and their asks fail. */
    DISCARD,
    /**
     * As {@link #DISCARD}, and each call interrupts the running handler. The stop hook of the actor, and the close of
     * each resource of {@link Actor#closeOnExit}, also begin with the interrupt status set.
     */
    INTERRUPT
}
