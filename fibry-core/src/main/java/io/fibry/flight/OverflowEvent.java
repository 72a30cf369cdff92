package io.fibry.flight;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A message has found a mailbox full. The stack trace is that of the sender. */
@Name("fibry.MailboxOverflow")
@Label("Mailbox Overflow")
@Description("A message found a bounded mailbox full; the duration is the sender's wait for room, if it waited")
@StackTrace
public final class OverflowEvent extends ActorEvent {

    private static final EventLimit LIMIT = new EventLimit();

    @Label("Message Type")
    @Description("The class of the message that waited, was refused or was dropped")
    @Nullable
    Class<?> messageType;

    @Label("Outcome")
    @Description("WAITED for room, REFUSED to its sender, or DROPPED")
    @Nullable
    String outcome;

    @Label("Capacity")
    @Description("How many messages may wait in the mailbox")
    int capacity;

    private OverflowEvent() {}

    /** Called when a message has found no room. Returns null if such events are not recorded. */
    public static @Nullable OverflowEvent started() {
        var event = new OverflowEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    /** Called when the message has found room, was refused or was dropped. */
    public void over(Object of, Object message, String result, int limit) {
        end();
        if (shouldCommit()) {
            messageType = message.getClass();
            outcome = result;
            capacity = limit;
            record(of, LIMIT);
        }
    }
}
