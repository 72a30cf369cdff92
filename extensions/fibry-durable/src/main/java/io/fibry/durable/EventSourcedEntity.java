package io.fibry.durable;

import io.fibry.dispatch.LogLimit;
import io.fibry.durable.DurableStore.Stored;
import io.fibry.durable.DurableStore.Write;
import io.fibry.durable.EventLog.Snapshots;
import io.fibry.entity.EntityBehavior;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The behavior of an entity of an {@link EventLog}, and its current state. */
final class EventSourcedEntity<S, C, E, R extends @Nullable Object> implements EntityBehavior<C, R> {

    private static final Logger LOG = LoggerFactory.getLogger(EventLog.class);
    private static final LogLimit SNAPSHOT_WARNINGS = new LogLimit();

    private final EventLog<S, C, E, R> log;
    private final String key;
    private final EventSourced<S, C, E, R> behavior;

    /** The state after all events known to be stored; null if it must be restored. */
    private @Nullable Versioned<S> current;

    private EventSourcedEntity(EventLog<S, C, E, R> log, String key, EventSourced<S, C, E, R> behavior) {
        this.log = log;
        this.key = key;
        this.behavior = behavior;
    }

    static <S, C, E, R extends @Nullable Object> EventSourcedEntity<S, C, E, R> begin(
            EventLog<S, C, E, R> log, String key, EventSourced<S, C, E, R> behavior) throws Exception {
        var entity = new EventSourcedEntity<>(log, key, behavior);
        entity.current = entity.restore();
        return entity;
    }

    @Override
    public R handle(C message) throws Exception {
        Versioned<S> before = current;
        if (before == null) {
            before = restore();
            current = before;
        }
        Decision<E, R> decision = Objects.requireNonNull(behavior.decide(before.state, message), "the decision");
        if (!decision.events().isEmpty()) {
            store(before, decision.events());
        }
        return decision.reply();
    }

    private void store(Versioned<S> before, List<E> events) throws Exception {
        List<byte[]> encoded = new ArrayList<>(events.size());
        Versioned<S> after = before;
        for (E event : events) {
            encoded.add(log.events().encode(event));
            after = after.apply(behavior, event);
        }
        byte[] snapshot = snapshot(before, after);
        current = null; // after a failed write, the stored version is unknown
        log.store().write(new Write(log.type(), key, before.version, encoded, snapshot));
        current = after;
    }

    /** Returns the encoded state if it is to be stored. A failure does not fail the message: the events have it all. */
    private byte @Nullable [] snapshot(Versioned<S> before, Versioned<S> after) {
        Snapshots<S> snapshots = log.snapshots();
        if (snapshots == null || !snapshots.isDue(before.version, after.version)) {
            return null;
        }
        try {
            return snapshots.states().encode(after.state);
        } catch (RuntimeException e) {
            warn("The state of {} cannot be encoded: no snapshot is stored.", e);
            return null;
        }
    }

    private Versioned<S> restore() throws Exception {
        Stored stored = log.store().load(log.type(), key);
        Versioned<S> state = stored == null ? null : decode(stored);
        if (state == null) {
            state = new Versioned<>(0, Objects.requireNonNull(behavior.initial(), "the initial state"));
        }
        var events = new History<>(log.store(), log.type(), key, log.events(), state.version, false);
        for (Recorded<E> event = events.next(); event != null; event = events.next()) {
            state = restored(state, event);
        }
        if (stored != null && state.version < stored.version()) {
            throw new IllegalStateException(
                    "event " + (state.version + 1) + " of " + log.type() + "/" + key + " is missing");
        }
        return state;
    }

    private Versioned<S> restored(Versioned<S> before, Recorded<E> recorded) {
        try {
            return before.apply(behavior, recorded.event());
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "event " + recorded.version() + " of " + log.type() + "/" + key + " cannot be applied: " + e, e);
        }
    }

    /** Returns the last snapshot, or null if there is none that can be decoded. */
    private @Nullable Versioned<S> decode(Stored stored) {
        Snapshots<S> snapshots = log.snapshots();
        if (snapshots == null || stored.state() == null) {
            return null;
        }
        try {
            return new Versioned<>(stored.stateVersion(), snapshots.states().decode(stored.state()));
        } catch (RuntimeException e) {
            warn("The snapshot of {} cannot be decoded: its state is restored from all events.", e);
            return null;
        }
    }

    private void warn(String text, RuntimeException e) {
        if (SNAPSHOT_WARNINGS.tryLog()) {
            LOG.warn(text, log.type() + "/" + key, e);
        }
    }

    private record Versioned<S>(long version, S state) {

        <E> Versioned<S> apply(EventSourced<S, ?, E, ?> behavior, E event) {
            return new Versioned<>(
                    version + 1, Objects.requireNonNull(behavior.apply(state, event), "the state after an event"));
        }
    }
}
