package io.fibry.durable;

import io.fibry.codec.Codec;
import io.fibry.durable.DurableStore.Write;
import io.fibry.entity.EntityBehavior;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The behavior of an entity with a {@link Durable}, and its current state. */
final class DurableEntity<S, M, R extends @Nullable Object> implements EntityBehavior<M, R> {

    private final DurableStore store;
    private final String type;
    private final String key;
    private final Codec<S> states;
    private final Durable<S, M, R> behavior;

    /** The state known to be stored; null if it must be loaded. */
    private @Nullable Versioned<S> current;

    private DurableEntity(DurableStore store, String type, String key, Codec<S> states, Durable<S, M, R> behavior) {
        this.store = store;
        this.type = type;
        this.key = key;
        this.states = states;
        this.behavior = behavior;
    }

    static <S, M, R extends @Nullable Object> DurableEntity<S, M, R> begin(
            DurableStore store, String type, String key, Codec<S> states, Durable<S, M, R> behavior) throws Exception {
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
            store.write(new Write(type, key, before.version, List.of(), bytes));
            current = new Versioned<>(before.version + 1, state);
        }
        return change.reply();
    }

    private Versioned<S> load() throws Exception {
        DurableStore.Stored stored = store.load(type, key);
        if (stored == null) {
            return new Versioned<>(0, Objects.requireNonNull(behavior.initial(), "the initial state"));
        }
        if (stored.state() == null || stored.stateVersion() != stored.version()) {
            throw new IllegalStateException(
                    type + "/" + key + " has events: it is an entity of EventSourced, not of Durable");
        }
        return new Versioned<>(stored.version(), states.decode(stored.state()));
    }

    private record Versioned<S>(long version, S state) {}
}
