package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The hand-over in an unbounded mailbox. */
@Tag("model-check")
public final class MessageHandOverTest extends MessageHandOver {

    private static final String BACKLOG = "tell tell tell tell";

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

    /** The fourth message begins a segment, and the eleventh fills it. */
    @Test
    void everyMessageOfABacklogHasOneEndUnderAnyInterleaving() {
        for (int i = 0; i < 4; i++) {
            tell(1);
        }
        assertInstanceOf(MessageSegment.class, actor().newest());
        check(
                MessageHandOverTest.class,
                BACKLOG + " > tell tell | tell tell | turn",
                BACKLOG + " > tell turn | tell drain",
                BACKLOG + " > tell tell | turn discard",
                BACKLOG + " tell tell tell tell tell tell > tell tell | tell turn");
    }
}
