package io.fibry.dispatch;

import java.time.Instant;

/** The time of the calling thread: the system time, or the time of its {@link Control}. */
public final class Time {

    private Time() {}

    /** As {@link System#nanoTime}. */
    public static long nanos() {
        Control control = Control.ofCurrentThread();
        return control == null ? System.nanoTime() : control.nanoTime();
    }

    /** The time of day. */
    public static Instant now() {
        Control control = Control.ofCurrentThread();
        return control == null ? Instant.now() : control.instant();
    }
}
