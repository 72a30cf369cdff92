package io.fibry.entity;

import io.fibry.ActorRef;
import io.fibry.ActorStoppedException;
import org.jspecify.annotations.Nullable;

/**
 * An actor for each key: it is made at its first message, and ended when it is idle. Any thread may use it.
 *
 * {@snippet class = "EntitySnippets" region = "entities"}
 *
 * <p>{@code Stereotypes.entities} makes them on this machine, as {@link LocalEntities}. A cluster spreads them over machines; then this
 * interface stays the same, and only the line that makes them changes.
 *
 * @param <K> the type of the keys
 * @param <M> the type of the messages
 * @param <R> the type of the replies; {@link Void} if messages have none
 */
public interface Entities<K, M, R extends @Nullable Object> {

    /** The name of all of these entities together. */
    String name();

    /**
     * A reference to the entity of this key. It makes no entity: its first message does. The reference stays valid when an entity ends
     * and another one begins. When there will be no entities any more, its {@code tell} and {@code tryTell} throw
     * {@link ActorStoppedException}, and its asks fail with it.
     */
    ActorRef<M, R> ref(K key);

    /** Ends the entity of this key after the messages that it has accepted, if there is one. The next message begins a new one. */
    void end(K key);

    /** The number of keys that have an entity on this machine, also one that is about to end. */
    int size();
}
