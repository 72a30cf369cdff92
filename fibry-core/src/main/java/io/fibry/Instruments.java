package io.fibry;

import io.fibry.flight.Flight;
import io.fibry.flight.WaitEvent;
import org.jspecify.annotations.Nullable;

/**
 * What some programs add to each message: the time at which it was sent, for Flight Recorder. A program without a recording pays for
 * the read of {@link #areInUse}: messages have neither a timestamp nor room for one.
 */
final class Instruments {

    private Instruments() {}

    static boolean areInUse() {
        return Flight.isOn();
    }

    /** A message to send, with what is to go along with it. Only if instruments are in use. */
    static Envelope envelope(Object message, @Nullable Reply<?> reply) {
        WaitEvent wait = FlightLog.waits();
        return wait == null ? new Envelope(message, reply) : new InstrumentedEnvelope(message, reply, wait);
    }
}
