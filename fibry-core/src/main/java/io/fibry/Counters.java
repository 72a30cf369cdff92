package io.fibry;

/**
 * What became of the messages of a system: of all that its actors were told or asked, and of the code that they were given to
 * run. A message counts from the moment in which its end is known; one that waits, or is at work, does not count yet. Figures
 * are exact when nothing moves; while actors are at work, they may be a moment old.
 *
 * @param handled messages whose behavior has returned or thrown
 * @param refused messages that were refused to their sender: the actor had been stopped, or its mailbox was full
 * @param dropped messages that an {@link Overflow} policy has dropped, and asks that were completed by somebody else before their
 *     turn came, for instance by a timeout
 * @param dead messages that ended as {@linkplain DeadLetter dead letters}
 */
public record Counters(long handled, long refused, long dropped, long dead) {

    /** All messages that have come to an end: the sum of the others. */
    public long told() {
        return handled + refused + dropped + dead;
    }
}
