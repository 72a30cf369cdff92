package io.fibry.flight;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** A message has become a dead letter. */
@Name("fibry.DeadLetter")
@Label("Dead Letter")
@Description("A message was accepted and not handled, because its actor ended first")
public final class DeadLetterEvent extends ActorEvent {

    private static final EventLimit LIMIT = new EventLimit();

    @Label("Message Type")
    @Description("The class of the message, or of the code to run")
    @Nullable
    Class<?> messageType;

    @Label("Reason")
    @Nullable
    String reason;

    private DeadLetterEvent() {}

    public static void happened(Object of, Object message, String why) {
        var event = new DeadLetterEvent();
        if (event.shouldCommit()) {
            event.messageType = message.getClass();
            event.reason = why;
            event.record(of, LIMIT);
        }
    }
}
