package io.fibry;

import org.junit.jupiter.api.Test;

/**
 * The hand-over by way of a {@link WaitingRoom}.
 *
 * <p>Seen to fail: a consumer that finds the room empty and says so a moment later; a close of the mailbox before the room.
 */
public final class BoundedHandOverTest extends MessageHandOver {

    /** For Lincheck. */
    public BoundedHandOverTest() {
        super(new ActorOptions(null, null, StopPhase.ACTORS, null, null, MailboxSpec.bounded(1, Overflow.FAIL, null)));
    }

    @Test
    void everyMessageHasOneEndWhateverTheInterleaving() {
        check(BoundedHandOverTest.class, 4);
    }
}
