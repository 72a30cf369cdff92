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
public final class RunEvent extends MessageEvent implements EventStart {

    private static final EventLimit LIMIT = new EventLimit();

    static final CoarseTimer TIMER = new CoarseTimer(LIMIT);

    RunEvent() {}

    /** Called when the handler begins. Returns null if such events are not recorded. */
    public static @Nullable EventStart started() {
        Moment moment = TIMER.current();
        return moment != null ? moment : startedExactly();
    }

    private static @Nullable EventStart startedExactly() {
        var event = new RunEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    /** Called when the handler has returned or thrown. */
    public static void over(EventStart start, Object of, Object message, String messageKind) {
        if (start instanceof Moment moment) {
            if (TIMER.finish(moment) instanceof RunEvent event) {
                event.describe(message, messageKind);
                event.write(of, LIMIT);
            }
        } else if (start instanceof RunEvent event) {
            event.end();
            if (event.shouldCommit()) {
                event.describe(message, messageKind);
                event.record(of, LIMIT);
            }
        }
    }
}
