package io.fibry.durable;

import io.fibry.Backoff;
import io.fibry.dispatch.Durations;
import io.fibry.durable.ProjectionStatus.Failure;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The consecutive failures of a slice, and the time of the next attempt. Guarded by the lock of the loop. */
final class Retries {

    private final int maxAttempts;
    private final Backoff backoff;
    private @Nullable Failure failure;
    private long due;

    Retries(int maxAttempts, Backoff backoff) {
        this.maxAttempts = maxAttempts;
        this.backoff = backoff;
    }

    /** Records a failure of an event, which is repeated a limited number of times, or of the database. */
    Failure add(Throwable cause, long now) {
        Failure last = failure;
        String key = cause instanceof EventFailure event ? event.row().key() : null;
        long version = cause instanceof EventFailure event ? event.row().version() : 0;
        int attempts =
                last != null && Objects.equals(last.key(), key) && last.version() == version ? last.attempts() + 1 : 1;
        Throwable reason = cause instanceof EventFailure event ? event.reason() : cause;
        Failure next = new Failure(key, version, attempts, key != null && attempts >= maxAttempts, reason);
        failure = next;
        due = now + pauseNanos(attempts);
        return next;
    }

    /** Shortened at random by up to a half, as {@link Backoff} specifies. */
    private long pauseNanos(int attempts) {
        long longest = Durations.limitedNanos(backoff.longest());
        long nanos = Durations.limitedNanos(backoff.first());
        for (int i = 1; i < attempts && nanos < longest; i++) {
            nanos = Math.min(2 * nanos, longest);
        }
        return nanos - ThreadLocalRandom.current().nextLong(nanos / 2 + 1);
    }

    boolean isDue(long now) {
        Failure last = failure;
        return last == null || (!last.isStopped() && now - due >= 0);
    }

    @Nullable
    Failure failure() {
        return failure;
    }

    void clear() {
        failure = null;
    }
}
