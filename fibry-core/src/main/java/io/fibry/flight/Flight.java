package io.fibry.flight;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether events are recorded. A program that has never started a recording pays for one read of a field at each place that could
 * record: no event class is loaded before, since the load of the first one makes Flight Recorder read its metadata.
 *
 * <p>The switch goes on when Flight Recorder is initialized, and stays on. From then on {@code Event.isEnabled} decides.
 */
public final class Flight {

    private static final AtomicBoolean LISTENS = new AtomicBoolean();

    /**
     * Plain, because it is read for every message. A thread may see the change late, but not for long: each message passes a
     * compare-and-set, after which the field is read again.
     */
    private static boolean on;

    private Flight() {}

    public static boolean isOn() {
        return on;
    }

    static void switchOn() {
        on = true;
    }

    /** The first system begins. If Flight Recorder is initialized already, the first messages are recorded too. */
    public static void begin() {
        try {
            if (FlightListener.isRecorderInitialized()) {
                listen();
            }
        } catch (LinkageError noModule) {
            return; // the program runs without jdk.jfr, so nothing can be recorded
        }
    }

    /** Waits for the initialization of Flight Recorder. Loads some of its classes, so a thread of its own calls it. */
    public static void listen() {
        try {
            if (LISTENS.compareAndSet(false, true)) {
                FlightListener.listen();
            }
        } catch (LinkageError noModule) {
            return; // as above
        }
    }
}
