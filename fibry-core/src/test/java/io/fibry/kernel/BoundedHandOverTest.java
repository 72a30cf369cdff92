package io.fibry.kernel;

import io.fibry.Overflow;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The hand-over through each kind of {@link BoundedMailbox}.
 *
 * <p>Seen to fail: a consumer that finds the room empty and reports it a moment later; a message, or a replacement of
 * another, that wakes no consumer; a room that takes messages after its close, or keeps the one that it has dropped; a
 * priority mailbox without an order, or with another one among equals; a waiting sender that takes an actor's lock
 * while it holds the one of the room.
 */
@Tag("model-check")
final class BoundedHandOverTest {

    private static ActorOptions withRoomForOne(Overflow overflow) {
        return HandOver.mailbox(MailboxSpec.bounded(1, overflow, null));
    }

    /** Refuses messages beyond its capacity. */
    public static final class Fail extends MessageHandOver {

        /** For Lincheck. */
        public Fail() {
            super(withRoomForOne(Overflow.FAIL));
        }
    }

    /** Drops messages beyond its capacity. */
    public static final class DropNewest extends MessageHandOver {

        /** For Lincheck. */
        public DropNewest() {
            super(withRoomForOne(Overflow.DROP_NEWEST));
        }
    }

    /** Drops the oldest waiting message. */
    public static final class DropOldest extends MessageHandOver {

        /** For Lincheck. */
        public DropOldest() {
            super(withRoomForOne(Overflow.DROP_OLDEST));
        }
    }

    /** Its senders wait for room. */
    public static final class Block extends MessageHandOver {

        /** For Lincheck. */
        public Block() {
            super(withRoomForOne(Overflow.BLOCK));
        }
    }

    /** Has an order, and a limit that is seldom reached. */
    public static final class Priority extends MessageHandOver {

        /** For Lincheck. */
        public Priority() {
            super(HandOver.mailbox(
                    MailboxSpec.ordered(MessageHandOver::compare, MailboxSpec.bounded(3, Overflow.FAIL, null))));
        }
    }

    @Test
    void aMailboxThatRefuses() {
        HandOver.check(Fail.class, "tell turn | tell turn", "tell tell | turn tell | discard");
    }

    @Test
    void aMailboxThatDropsTheNewest() {
        HandOver.check(DropNewest.class, "tell tell | turn tell | drain");
    }

    @Test
    void aMailboxThatDropsTheOldest() {
        HandOver.check(DropOldest.class, "tell tell | turn tell", "tell turn | tell turn | drain");
    }

    @Test
    void aPriorityMailbox() {
        HandOver.check(Priority.class, "tell urgent | tell turn", "urgent urgent | tell turn | discard");
    }

    /** If the actor is stopped without waiting for room, no sender waits indefinitely. */
    @Test
    void aMailboxThatBlocksItsSenders() {
        HandOver.check(Block.class, "tell tell | tell turn | drain", "tell tell | turn tell | turn discard");
    }
}
