package io.fibry.durable;

import java.time.Instant;

/**
 * A message as the entities of {@link DurableEntities} receive it: a message of the program, or a request of the
 * delivery to handle stored messages.
 *
 * @param <M> the type of the messages of the program
 */
sealed interface DurableMessage<M> {

    /** A message of the program. */
    record Plain<M>(M message) implements DurableMessage<M> {}

    /** A message of the program whose reply is kept. */
    record Keyed<M>(String requestKey, M message) implements DurableMessage<M> {}

    /** Tells the entity to handle its stored messages that are due at this time. */
    record Wake<M>(Instant now) implements DurableMessage<M> {}
}
