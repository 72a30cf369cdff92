package io.fibry;

import org.jspecify.annotations.Nullable;

/**
 * A failure of an actor, or a message that it did not handle. {@link ActorSystem#onIncident} delivers incidents as they
 * happen. An incident does not contain the message itself, which may be confidential.
 *
 * @param kind the kind of incident
 * @param actorId the {@link ActorInfo#id} of the actor
 * @param actor the name of the actor
 * @param message the type of the message
 * @param failure the exception that the behavior threw; null for a dead letter
 * @param reason why the message was not handled; null for a failure
 */
public record Incident(
        Kind kind,
        String actorId,
        String actor,
        Class<?> message,
        @Nullable Throwable failure,
        DeadLetter.@Nullable Reason reason) {

    /** The kinds of incident. */
    public enum Kind {
        /** A behavior threw. */
        FAILURE,
        /** A message was accepted and not handled. */
        DEAD_LETTER
    }
}
