package io.fibry;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The hand-over by way of a {@link WaitingRoom}, for each kind of it.
 *
 * <p>Seen to fail: a consumer that finds the room empty and says so a moment later; a message, or one that replaces another, that
 * wakes nobody; a room that takes messages after its close, or keeps the one that it has dropped; a priority mailbox without an
 * order, or with another one among equals; a waiting sender that takes an actor's lock while it holds the one of the room.
 */
@Tag("model-check")
final class BoundedHandOverTest {

    private static ActorOptions withRoomForOne(Overflow overflow) {
        return HandOver.mailbox(MailboxSpec.bounded(1, overflow, null));
    }

    /** Refuses what it has no room for. */
    public static final class Fail extends MessageHandOver {

        /** For Lincheck. */
        public Fail() {
            super(withRoomForOne(Overflow.FAIL));
        }
    }

    /** Drops what it has no room for. */
    public static final class DropNewest extends MessageHandOver {

        /** For Lincheck. */
        public DropNewest() {
            super(withRoomForOne(Overflow.DROP_NEWEST));
        }
    }

    /** Drops what has waited longest. */
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
    void oneThatRefuses() {
        HandOver.check(Fail.class, "tell turn | tell turn", "tell tell | turn tell | discard");
    }

    @Test
    void oneThatDropsTheNewest() {
        HandOver.check(DropNewest.class, "tell tell | turn tell | drain");
    }

    @Test
    void oneThatDropsTheOldest() {
        HandOver.check(DropOldest.class, "tell tell | turn tell", "tell turn | tell turn | drain");
    }

    @Test
    void oneWithAnOrder() {
        HandOver.check(Priority.class, "tell urgent | tell turn", "urgent urgent | tell turn | discard");
    }

    /** In scenarios where somebody stops the actor without waiting for room, nobody may wait for ever. */
    @Test
    void oneThatHasItsSendersWait() {
        HandOver.check(Block.class, "tell tell | tell turn | drain", "tell tell | turn tell | turn discard");
    }
}
