package io.fibry.kernel;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The hand-over in an unbounded mailbox. */
@Tag("model-check")
public final class MessageHandOverTest extends MessageHandOver {

    /** For Lincheck. */
    public MessageHandOverTest() {
        super(ActorOptions.NONE);
    }

    @Test
    void everyMessageHasOneEndUnderAnyInterleaving() {
        check(
                MessageHandOverTest.class,
                "tell > turn | tell drain",
                "tell turn | tell turn",
                "tell tell | turn turn | drain",
                "tell tell | turn tell | discard",
                "tell turn | turn drain | tell discard");
    }
}
