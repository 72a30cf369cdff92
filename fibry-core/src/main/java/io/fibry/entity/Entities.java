package io.fibry.entity;

import io.fibry.ActorRef;
import io.fibry.ActorStoppedException;
import org.jspecify.annotations.Nullable;

/**
 * Actors for keys: the actor of a key is created on the first message for the key, and ends when it is idle.
 * Thread-safe.
 *
 * {@snippet class = "EntitySnippets" region = "entities"}
 *
 * <p>{@code Stereotypes.entities} creates entities on this machine, as {@link LocalEntities}. A cluster distributes
 * entities over several machines, with the same interface: only the code that creates the {@code Entities} differs.
 *
 * @param <K> the type of the keys
 * @param <M> the type of the messages
 * @param <R> the type of the replies; {@link Void} if messages have none
 */
public interface Entities<K, M, R extends @Nullable Object> extends AutoCloseable {

    /** Returns the common name of these entities. */
    String name();

    /**
     * Returns a reference to the entity of this key. This call does not create the entity: the first message does. The
     * reference stays valid when an entity ends and another one begins. After these entities have been stopped,
     * {@code tell} and {@code tryTell} of the reference throw {@link ActorStoppedException}, and its asks fail with it.
     */
    ActorRef<M, R> ref(K key);

    /**
     * Ends the entity of this key, if there is one, when it has handled its accepted messages. Does not wait. The next
     * message for the key begins a new entity.
     */
    void end(K key);

    /** Returns the number of keys that have an entity on this machine, including entities that are about to end. */
    int size();

    /**
     * Ends the entities on this machine, after their accepted messages, and waits until they have ended. From the call
     * on, the references of this object refuse messages. On a cluster, this machine no longer hosts the type: its
     * entities move to other machines that host it. Further calls also wait.
     */
    @Override
    void close();
}
