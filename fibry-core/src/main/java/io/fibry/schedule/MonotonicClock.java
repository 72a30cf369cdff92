package io.fibry.schedule;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that nobody can put forward or back. On most systems, it does not count the time in which the computer is suspended. */
final class MonotonicClock implements InstantSource {

    private final Instant start = Instant.now();
    private final long startNanos = System.nanoTime();

    @Override
    public Instant instant() {
        return start.plusNanos(System.nanoTime() - startNanos);
    }
}
