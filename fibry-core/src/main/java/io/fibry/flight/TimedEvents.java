package io.fibry.flight;

import org.jspecify.annotations.Nullable;

/**
 * The events of each message: its wait, its handler, and the ask. Used only while {@link Flight} is on.
 *
 * <p>The code is not in the event classes: Flight Recorder of Java 21 cannot instrument a class if one of its methods
 * merges two types of the library, since it does not find them.
 */
public final class TimedEvents {

    private static final CoarseTimer WAITS = new CoarseTimer(QueueTimeEvent::new);
    private static final CoarseTimer RUNS = new CoarseTimer(RunEvent::new);
    private static final CoarseTimer ASKS = new CoarseTimer(AskEvent::new);

    private TimedEvents() {}

    // ---- the thread that ticks

    /** Begins the next tick. Returns whether some of these events are recorded. Called by one thread. */
    public static boolean tick(long nanoTime) {
        boolean waits = WAITS.tick(nanoTime);
        boolean runs = RUNS.tick(nanoTime);
        boolean asks = ASKS.tick(nanoTime);
        return waits || runs || asks;
    }

    /** Called by the same thread before it does not tick for some time. */
    public static void stop() {
        WAITS.stop();
        RUNS.stop();
        ASKS.stop();
    }

    /** Whether all of these events are timed by ticks. */
    static boolean areCoarse() {
        return WAITS.current() != null && RUNS.current() != null && ASKS.current() != null;
    }

    /** Whether none of these events is timed by ticks. */
    static boolean areExact() {
        return WAITS.current() == null && RUNS.current() == null && ASKS.current() == null;
    }

    // ---- messages

    /** Called when a message is sent. Returns null if waits are not recorded. */
    public static @Nullable EventStart beginWait() {
        return WAITS.begin();
    }

    /** Called when the handler begins. */
    public static void endWait(EventStart start, Object actor, Object message, String kind) {
        end(WAITS, start, actor, message, kind);
    }

    /** Called when the handler begins. Returns null if handlers are not recorded. */
    public static @Nullable EventStart beginRun() {
        return RUNS.begin();
    }

    /** Called when the handler has returned or thrown. */
    public static void endRun(EventStart start, Object actor, Object message, String kind) {
        end(RUNS, start, actor, message, kind);
    }

    private static void end(CoarseTimer timer, EventStart start, Object actor, Object message, String kind) {
        if (timer.end(start) instanceof MessageEvent event) {
            event.describe(message, kind);
            timer.write(event, actor);
        }
    }

    // ---- asks

    /** Called before an ask. Returns null if asks are not recorded. */
    static @Nullable EventStart beginAsk() {
        return ASKS.begin();
    }

    static void endAsk(EventStart start, AskTrace trace, @Nullable Throwable failure) {
        if (ASKS.end(start) instanceof AskEvent event) {
            Object asker = trace.askingActor();
            event.messageType = trace.message().getClass();
            event.asker = asker == null ? null : PlainText.of(asker);
            event.askingThread = trace.askingThread();
            event.failure = failure == null ? null : failure.getClass();
            ASKS.write(event, trace.asked());
        }
    }
}
