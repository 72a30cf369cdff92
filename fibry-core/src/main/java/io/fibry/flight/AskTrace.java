package io.fibry.flight;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An ask that will be recorded, from its begin to its completion. Written by the asking thread, before it sends the
 * message; read by the thread that completes the ask.
 */
public final class AskTrace {

    private final EventStart start;
    private final @Nullable Object askingActor;
    private final Thread askingThread = Thread.currentThread();
    private @Nullable Object asked;
    private @Nullable Object message;

    private AskTrace(EventStart start, @Nullable Object askingActor) {
        this.start = start;
        this.askingActor = askingActor;
    }

    /** Whether asks are recorded: their begin, to be passed to {@link #of}. Null if they are not. */
    public static @Nullable EventStart begin() {
        return TimedEvents.beginAsk();
    }

    public static AskTrace of(EventStart start, @Nullable Object askingActor) {
        return new AskTrace(start, askingActor);
    }

    /** Called when the message is about to be sent. */
    public void isSent(Object to, Object what) {
        asked = to;
        message = what;
    }

    /** Called when the ask has completed. An ask that was not sent is not recorded. Releases the message. */
    public void over(@Nullable Throwable cause) {
        if (message != null) {
            TimedEvents.endAsk(start, this, cause);
            message = null;
            asked = null;
        }
    }

    @Nullable
    Object askingActor() {
        return askingActor;
    }

    Thread askingThread() {
        return askingThread;
    }

    Object asked() {
        return Objects.requireNonNull(asked);
    }

    Object message() {
        return Objects.requireNonNull(message);
    }
}
