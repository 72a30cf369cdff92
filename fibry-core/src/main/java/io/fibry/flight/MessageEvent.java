package io.fibry.flight;

import jdk.jfr.Description;
import jdk.jfr.Label;
import org.jspecify.annotations.Nullable;

/** An event about one message. It never contains the message itself, which may be confidential. */
abstract class MessageEvent extends ActorEvent {

    @Label("Message Type")
    @Description("The class of the message, or of the code to run")
    @Nullable
    Class<?> messageType;

    @Label("Message Kind")
    @Description("How the message was sent: tell, ask, task for execute, or signal for what an actor gets by itself, as"
            + " from a timer")
    @Nullable
    String kind;

    final void describe(Object message, String messageKind) {
        messageType = message.getClass();
        kind = messageKind;
    }
}
