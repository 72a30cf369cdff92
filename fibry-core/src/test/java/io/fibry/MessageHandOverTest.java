package io.fibry;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The hand-over in a mailbox without a limit. */
@Tag("model-check")
public final class MessageHandOverTest extends MessageHandOver {

    /** For Lincheck. */
    public MessageHandOverTest() {
        super(ActorOptions.NONE);
    }

    @Test
    void everyMessageHasOneEndWhateverTheInterleaving() {
        scenarios(6, 700).check(MessageHandOverTest.class);
    }
}
