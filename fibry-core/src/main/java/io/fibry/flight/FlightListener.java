package io.fibry.flight;

import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/** Switches the events on when the first recording of the JVM is made, also if that was before. */
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
