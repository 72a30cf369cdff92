package io.fibry.flight;

import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/** Enables the events when the first recording of the JVM is created, or at once if one has been created before. */
final class FlightListener implements FlightRecorderListener {

    private FlightListener() {}

    static boolean isRecorderInitialized() {
        return FlightRecorder.isInitialized();
    }

    static void listen() {
        FlightRecorder.addListener(new FlightListener());
    }

    @Override
    public void recorderInitialized(FlightRecorder recorder) {
        Flight.switchOn();
    }
}
