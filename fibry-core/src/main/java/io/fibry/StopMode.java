package io.fibry;

/**
 * How an actor stops. Every mode refuses new messages from the moment of the call; the modes differ in the treatment of
 * accepted messages. A harder mode replaces a softer one, never the other way round: {@code DRAIN}, {@code DISCARD},
 * {@code INTERRUPT}.
 */
public enum StopMode {
    /**
     * Handle every accepted message, then end. Messages that the actor sends to itself are still accepted, and so are
     * messages that its children send from their behaviors, until the children have ended, since they may need the
     * replies. The actor also waits for results of {@link ActorContext#pipeToSelf} and for one-shot
     * {@linkplain ActorContext#after timers}.
     */
    DRAIN,
    /** Finish the message being handled. The others become dead letters, and their asks fail. */
    DISCARD,
    /**
     * As {@link #DISCARD}, and interrupt the thread that handles a message, on each request. The interrupt stays
     * pending until the actor has ended: a stop hook, and a resource of {@link Actor#closeOnExit}, begin with the
     * interrupt status set.
     */
    INTERRUPT
}
