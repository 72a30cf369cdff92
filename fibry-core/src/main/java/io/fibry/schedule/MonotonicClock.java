package io.fibry.schedule;

import io.fibry.dispatch.Time;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that cannot be set. On most systems, it does not count the time in which the computer is suspended. */
final class MonotonicClock implements InstantSource {

    private final Instant start = Time.now();
    private final long startNanos = Time.nanos();

    @Override
    public Instant instant() {
        return start.plusNanos(Time.nanos() - startNanos);
    }
}
