package io.fibry.flight;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** A message has waited: from its {@code tell} until its handler begins. */
@Name("fibry.MessageWait")
@Label("Message Wait")
@Description("A message waited for its handler, from the moment it was sent, with the wait for room in a full mailbox")
@Threshold("20 ms")
public final class QueueTimeEvent extends MessageEvent implements EventStart {

    private static final EventLimit LIMIT = new EventLimit();

    static final CoarseTimer TIMER = new CoarseTimer(LIMIT);

    QueueTimeEvent() {}

    /** Called when the wait begins. Returns null if such events are not recorded. */
    public static @Nullable EventStart started() {
        Moment moment = TIMER.current();
        return moment != null ? moment : startedExactly();
    }

    private static @Nullable EventStart startedExactly() {
        var event = new QueueTimeEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    /** Called when the wait is over. */
    public static void over(EventStart start, Object of, Object message, String messageKind) {
        if (start instanceof Moment moment) {
            if (TIMER.finish(moment) instanceof QueueTimeEvent event) {
                event.describe(message, messageKind);
                event.write(of, LIMIT);
            }
        } else if (start instanceof QueueTimeEvent event) {
            event.end();
            if (event.shouldCommit()) {
                event.describe(message, messageKind);
                event.record(of, LIMIT);
            }
        }
    }
}
