package io.fibry;

import org.jspecify.annotations.Nullable;

/**
 * A failure of an actor, or a message that it did not handle. {@link ActorSystem#onIncident} passes them on as they happen. It does
 * not have the message itself, which may be confidential.
 *
 * @param kind what happened
 * @param actorId what {@link ActorInfo#id} says
 * @param actor the name of the actor
 * @param message the type of the message
 * @param failure what the behavior threw; null for a dead letter
 * @param reason why the message was not handled; null for a failure
 */
public record Incident(
        Kind kind,
        String actorId,
        String actor,
        Class<?> message,
        @Nullable Throwable failure,
        DeadLetter.@Nullable Reason reason) {

    /** What happened. */
    public enum Kind {
        /** A behavior threw. */
        FAILURE,
        /** A message was accepted and not handled. */
        DEAD_LETTER
    }
}
