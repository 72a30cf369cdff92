package io.fibry.durable;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the entities of a type behave and how they are stored: by their events, as an {@link EventLog}, or by their
 * state, as a {@link StateTable}. {@link DurableEntities#start} and {@code ClusterSystem.entities} create the entities.
 * Immutable and thread-safe.
 *
 * @param <M> the type of the messages
 * @param <R> the type of the replies
 */
public abstract sealed class Persistence<M, R extends @Nullable Object> permits EventLog, StateTable {

    private final DurableStore store;
    private final DurableType<M, R> type;

    Persistence(DurableStore store, DurableType<M, R> type) {
        this.store = Objects.requireNonNull(store, "store");
        this.type = Objects.requireNonNull(type, "type");
    }

    /** Returns the type of the entities. */
    public final DurableType<M, R> type() {
        return type;
    }

    final DurableStore store() {
        return store;
    }

    final String name() {
        return type.name();
    }

    /** Creates the behavior of an entity, without its state. Called inside its actor. */
    abstract EntityLogic<?, M, R> logic(String key) throws Exception;
}
