package io.fibry;

/**
 * Numbers of the messages of a system by outcome. A message counts once its outcome is known; a message that waits or
 * is being handled does not count yet. The numbers are exact while the system is idle; while actors run, they may be
 * slightly stale.
 *
 * @param handledBySource messages whose behavior has returned or thrown
 * @param refused messages whose sender received an exception: the actor had been stopped, or its mailbox was full
 * @param dropped messages that an {@link Overflow} policy has dropped, and asks that ended before they were handled,
 *     for instance by a timeout
 * @param dead messages that became {@linkplain DeadLetter dead letters}, including messages of timers and stages
 */
public record SystemStats(HandledMessages handledBySource, long refused, long dropped, long dead) {

    /** Returns the number of handled messages of all sources. */
    public long handled() {
        return handledBySource.total();
    }

    /**
     * Returns the number of sent messages whose outcome is known: every {@code tell} and {@code ask}, and the code
     * given to {@link Actor#execute}. Includes the messages of timers and stages that became dead letters.
     */
    public long sent() {
        return handledBySource.sent() + refused + dropped + dead;
    }
}
