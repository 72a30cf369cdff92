package io.fibry.kernel;

import io.fibry.Overflow;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Asks in mailboxes of several kinds. */
@Tag("model-check")
final class AskHandOverTest {

    /** Has capacity for all asks. */
    public static final class Unbounded extends AskHandOver {

        /** For Lincheck. */
        public Unbounded() {
            super(ActorOptions.NONE);
        }
    }

    /** Has capacity for one ask, which a new ask replaces. */
    public static final class DropOldest extends AskHandOver {

        /** For Lincheck. */
        public DropOldest() {
            super(HandOver.mailbox(MailboxSpec.bounded(1, Overflow.DROP_OLDEST, null)));
        }
    }

    @Test
    void asksInAMailboxWithRoomForAll() {
        HandOver.check(
                Unbounded.class,
                "ask ask > turn | discard",
                "ask ask > turn giveUp | ask discard",
                "ask ask | turn turn | drain discard",
                "ask turn | ask giveUp | discard");
    }

    @Test
    void asksInAMailboxThatReplacesThem() {
        HandOver.check(DropOldest.class, "ask > turn | ask giveUp | discard", "ask ask | turn ask | drain");
    }
}
