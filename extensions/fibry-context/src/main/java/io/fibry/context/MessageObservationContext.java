package io.fibry.context;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationView;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The subject of an observation by {@link MessageObservations}: a message, and the actor that handles it. */
public final class MessageObservationContext extends Observation.Context {

    private final @Nullable String actor;
    private final Object message;

    /** Whether the observation has been stopped. Then only its children refer to this context. */
    private volatile boolean isStopped;

    /**
     * Creates a context. Called by {@link MessageObservations}, and by tests of a convention.
     *
     * @param actor the name of the actor; null if it has none
     * @param message the message
     */
    public MessageObservationContext(@Nullable String actor, Object message) {
        this.actor = actor;
        this.message = Objects.requireNonNull(message, "message");
    }

    /** Returns the name of the actor; null if it has no name. A label is not a name. */
    public @Nullable String actor() {
        return actor;
    }

    /**
     * Returns the message; the {@link Runnable} of a task; the result of a stage for {@code pipeToSelf}, whose message
     * does not exist yet; the {@link io.fibry.ActorExit} of a watched actor.
     */
    public Object message() {
        return message;
    }

    /** Stops an observation. */
    static void stop(Observation observation) {
        try {
            observation.stop();
        } finally {
            if (observation.getContext() instanceof MessageObservationContext context) {
                context.isStopped = true;
            }
        }
    }

    /**
     * Removes the parent of the nearest stopped message among an observation and its ancestors. A running one keeps its
     * parent, which its handlers and filters may read when it stops.
     */
    static void shorten(@Nullable ObservationView observation) {
        ObservationView next = observation;
        while (next != null) {
            if (next.getContextView() instanceof MessageObservationContext context && context.isStopped) {
                context.setParentObservation(null);
                return;
            }
            next = next.getContextView().getParentObservation();
        }
    }
}
