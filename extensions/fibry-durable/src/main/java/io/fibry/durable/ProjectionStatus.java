package io.fibry.durable;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of a projection on this node.
 *
 * @param state the state
 * @param lag the age of the oldest event that no node has handled, as of the last successful poll; zero if there was
 *     none
 * @param events the number of events that this node has handled since the start
 * @param failures the slices that are retried or stopped, and the failure of the database, if there is one
 */
public record ProjectionStatus(State state, Duration lag, long events, List<Failure> failures) {

    /** Creates a status. */
    public ProjectionStatus {
        failures = List.copyOf(failures);
    }

    /** The states of a projection. If several apply, the last one of them. */
    public enum State {
        /** It handles events, or waits for them. */
        RUNNING,
        /** The database has failed, or an event: the projection retries after a pause. */
        RETRYING,
        /** At least one slice is stopped; the others continue. */
        FAILED,
        /** It has been paused. */
        PAUSED,
        /** It has been closed. */
        CLOSED
    }

    /**
     * The last failure of a slice, or of the database.
     *
     * @param key the key of the event; null if the database has failed
     * @param version the version of the event, or 0
     * @param attempts the number of consecutive failures
     * @param isStopped whether there are no further attempts until {@link RunningProjection#resume}
     * @param cause the exception
     */
    public record Failure(@Nullable String key, long version, int attempts, boolean isStopped, Throwable cause) {}
}
