package io.fibry.durable;

import io.fibry.durable.DurableStore.Stored;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An entity of a {@link StateTable}. */
record StateOfEntity<S, M, R extends @Nullable Object>(StateTable<S, M, R> table, String key, Durable<S, M, R> behavior)
        implements EntityLogic<S, M, R> {

    @Override
    public Versioned<S> load() throws Exception {
        Stored stored = table.store().load(table.name(), key);
        long revision = stored == null ? 0 : stored.revision();
        if (stored != null && stored.version() > 0) {
            throw new IllegalStateException(
                    table.name() + "/" + key + " has events: it is an entity of EventSourced, not of Durable");
        }
        S state = stored == null || stored.state() == null
                ? Objects.requireNonNull(behavior.initial(), "the initial state")
                : table.states().decode(stored.state());
        return new Versioned<>(revision, 0, state);
    }

    @Override
    public Step<S, R> handle(Versioned<S> before, M message) throws Exception {
        Change<S, R> change = Objects.requireNonNull(behavior.handle(before.state(), message), "the change");
        S state = change.state();
        return state == null
                ? new Step<>(List.of(), null, before.state(), change.reply(), change.effects())
                : new Step<>(List.of(), table.states().encode(state), state, change.reply(), change.effects());
    }

    @Override
    public void onEnd() throws Exception {
        behavior.onEnd();
    }
}
