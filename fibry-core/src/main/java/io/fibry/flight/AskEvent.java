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
final class AskEvent extends ActorEvent implements EventStart {

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

    static final CoarseTimer TIMER = new CoarseTimer(LIMIT);

    AskEvent() {}

    /** Called when an ask is made. Returns null if such events are not recorded. */
    static @Nullable EventStart started() {
        Moment moment = TIMER.current();
        return moment != null ? moment : startedExactly();
    }

    private static @Nullable EventStart startedExactly() {
        var event = new AskEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    /** Called when the ask has completed. */
    static void over(EventStart start, AskTrace trace, @Nullable Throwable cause) {
        if (start instanceof Moment moment) {
            if (TIMER.finish(moment) instanceof AskEvent event) {
                event.describe(trace, cause);
                event.write(trace.asked(), LIMIT);
            }
        } else if (start instanceof AskEvent event) {
            event.end();
            if (event.shouldCommit()) {
                event.describe(trace, cause);
                event.record(trace.asked(), LIMIT);
            }
        }
    }

    private void describe(AskTrace trace, @Nullable Throwable cause) {
        Object askingActor = trace.askingActor();
        messageType = trace.message().getClass();
        asker = askingActor == null ? null : PlainText.of(askingActor);
        askingThread = trace.askingThread();
        failure = cause == null ? null : cause.getClass();
    }
}
