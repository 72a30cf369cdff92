package io.fibry.flight;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** An ask has completed. */
@Name("fibry.Ask")
@Label("Ask")
@Description("An ask completed, by a reply or a failure; from the ask to the reply")
@Threshold("20 ms")
public final class AskEvent extends ActorEvent {

    private static final EventLimit LIMIT = new EventLimit();

    @Label("Message Type")
    @Description("The class of the message")
    @Nullable
    Class<?> messageType;

    @Label("Asker")
    @Description("The actor that asked; null if the ask came from outside the actors")
    @Nullable
    String asker;

    @Label("Asking Thread")
    @Nullable
    Thread askingThread;

    @Label("Failure")
    @Description("The class of the exception that ended the ask; null if there was a reply")
    @Nullable
    Class<?> failure;

    private transient @Nullable Object askingActor;

    private AskEvent() {}

    /** Called when an ask is about to be sent. Returns null if such events are not recorded. */
    public static @Nullable AskEvent started(@Nullable Object askingActor) {
        var event = new AskEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.askingActor = askingActor;
        event.askingThread = Thread.currentThread();
        event.begin();
        return event;
    }

    /** Called when the ask has completed. */
    public void over(Object of, Object message, @Nullable Throwable cause) {
        end();
        if (shouldCommit()) {
            messageType = message.getClass();
            asker = askingActor == null ? null : PlainText.of(askingActor);
            failure = cause == null ? null : cause.getClass();
            record(of, LIMIT);
        }
    }
}
