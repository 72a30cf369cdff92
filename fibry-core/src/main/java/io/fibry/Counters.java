package io.fibry;

/**
 * What happened to the messages of a system: all that its actors were told or asked, and the code given to {@link Actor#execute}.
 * A message counts when its end is known; one that waits or is at work does not count yet. The numbers are exact while the system
 * is idle; while actors are at work, they may be slightly old.
 *
 * @param handled messages whose behavior has returned or thrown
 * @param refused messages that their sender got back as an exception: the actor had been stopped, or its mailbox was full
 * @param dropped messages that an {@link Overflow} policy has dropped, and asks that ended before their turn came, for instance
 *     by a timeout
 * @param dead messages that became {@linkplain DeadLetter dead letters}, and so did messages of timers, which do not count otherwise
 */
public record Counters(long handled, long refused, long dropped, long dead) {

    /** All messages whose end is known, and the messages of timers that became dead letters: the sum of the others. */
    public long told() {
        return handled + refused + dropped + dead;
    }
}
