package io.fibry.flight;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** A handler has run. */
@Name("fibry.MessageRun")
@Label("Message Run")
@Description("A handler ran for a message, with all its waits")
@Threshold("20 ms")
public final class RunEvent extends MessageEvent {

    private static final EventLimit LIMIT = new EventLimit();

    private RunEvent() {}

    /** Called when the handler begins. Returns null if such events are not recorded. */
    public static @Nullable RunEvent started() {
        var event = new RunEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    /** Called when the handler has returned or thrown. */
    public void over(Object of, Object message, String messageKind) {
        end();
        if (shouldCommit()) {
            describe(message, messageKind);
            record(of, LIMIT);
        }
    }
}
