package io.fibry.durable;

import io.fibry.codec.Codec;
import io.fibry.entity.EntityBehavior;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The behavior of an entity with a {@link Durable}, and its current state. */
final class DurableEntity<S, M, R extends @Nullable Object> implements EntityBehavior<M, R> {

    private final StateStore store;
    private final String type;
    private final String key;
    private final Codec<S> states;
    private final Durable<S, M, R> behavior;

    /** The state known to be stored; null if it must be loaded. */
    private @Nullable Versioned<S> current;

    private DurableEntity(StateStore store, String type, String key, Codec<S> states, Durable<S, M, R> behavior) {
        this.store = store;
        this.type = type;
        this.key = key;
        this.states = states;
        this.behavior = behavior;
    }

    static <S, M, R extends @Nullable Object> DurableEntity<S, M, R> begin(
            StateStore store, String type, String key, Codec<S> states, Durable<S, M, R> behavior) throws Exception {
        var entity = new DurableEntity<>(store, type, key, states, behavior);
        entity.current = entity.load();
        return entity;
    }

    @Override
    public R handle(M message) throws Exception {
        Versioned<S> before = current;
        if (before == null) {
            before = load();
            current = before;
        }
        Change<S, R> change = Objects.requireNonNull(behavior.handle(before.state, message), "the change");
        S state = change.state();
        if (state != null) {
            byte[] bytes = states.encode(state);
            current = null; // after a failed save, the stored version is unknown
            store.save(type, key, before.version, bytes);
            current = new Versioned<>(before.version + 1, state);
        }
        return change.reply();
    }

    private Versioned<S> load() throws Exception {
        StateStore.Stored stored = store.load(type, key);
        return stored == null
                ? new Versioned<>(0, Objects.requireNonNull(behavior.initial(), "the initial state"))
                : new Versioned<>(stored.version(), states.decode(stored.state()));
    }

    private record Versioned<S>(long version, S state) {}
}
