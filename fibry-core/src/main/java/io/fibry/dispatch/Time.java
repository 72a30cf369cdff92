package io.fibry.dispatch;

import java.time.Duration;
import java.time.Instant;

/** The time of the calling thread: the system time, or the time of its {@link Control}. */
public final class Time {

    private Time() {}

    /** As {@link System#nanoTime}. */
    public static long nanos() {
        Control control = Control.ofCurrentThread();
        return control == null ? System.nanoTime() : control.nanoTime();
    }

    /**
     * As {@link Thread#sleep(Duration)}. The actor that the worker would run next does not wait for the end of the
     * sleep.
     */
    public static void sleep(Duration duration) throws InterruptedException {
        Control control = Control.ofCurrentThread();
        if (control == null) {
            Worker.beforeWait();
            Thread.sleep(duration);
            return;
        }
        control.await(() -> false, Durations.nanos(duration), true, "the end of its pause");
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted during a pause");
        }
    }

    /** The time of day. */
    public static Instant now() {
        Control control = Control.ofCurrentThread();
        return control == null ? Instant.now() : control.instant();
    }
}
