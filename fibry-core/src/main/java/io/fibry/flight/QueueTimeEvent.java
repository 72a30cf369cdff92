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
public final class QueueTimeEvent extends MessageEvent {

    private static final EventLimit LIMIT = new EventLimit();

    private QueueTimeEvent() {}

    /** Called when the wait begins. Returns null if such events are not recorded. */
    public static @Nullable QueueTimeEvent started() {
        var event = new QueueTimeEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    /** Called when the wait is over. */
    public void over(Object of, Object message, String messageKind) {
        end();
        if (shouldCommit()) {
            describe(message, messageKind);
            record(of, LIMIT);
        }
    }
}
