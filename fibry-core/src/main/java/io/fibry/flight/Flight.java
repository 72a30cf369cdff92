package io.fibry.flight;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether events are recorded. In a program that has never started a recording, each recording point costs one read of
 * a field: no event class is loaded before, since loading the first one makes Flight Recorder read its metadata.
 *
 * <p>The flag is set when Flight Recorder is initialized, and stays set. From then on {@code Event.isEnabled} decides.
 */
public final class Flight {

    private static final AtomicBoolean LISTENS = new AtomicBoolean();

    /**
     * Plain, because it is read for every message. A thread may see the change with a short delay: each message
     * involves a compare-and-set, after which the field is read again.
     */
    private static boolean on;

    private Flight() {}

    public static boolean isOn() {
        return on;
    }

    static void switchOn() {
        on = true;
    }

    /**
     * Called when the first system is made. If Flight Recorder is already initialized, the first messages are recorded
     * too.
     */
    public static void begin() {
        try {
            if (FlightListener.isRecorderInitialized()) {
                listen();
            }
        } catch (LinkageError noModule) {
            return; // the runtime has no jdk.jfr, so no event can be recorded
        }
    }

    /**
     * Listens for the initialization of Flight Recorder. Loads some of its classes, so a dedicated thread calls this
     * method.
     */
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
