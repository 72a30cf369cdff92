package io.fibry.durable;

import io.fibry.dispatch.LogLimit;
import io.fibry.durable.DurableStore.Stored;
import io.fibry.durable.DurableStore.StoredHistory;
import io.fibry.durable.EventLog.Snapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An entity of an {@link EventLog}. */
record EventsOfEntity<S, C, E, R extends @Nullable Object>(
        EventLog<S, C, E, R> log, String key, EventSourced<S, C, E, R> behavior) implements EntityLogic<S, C, R> {

    private static final Logger LOG = LoggerFactory.getLogger(EventLog.class);
    private static final LogLimit SNAPSHOT_WARNINGS = new LogLimit();

    @Override
    public Step<S, R> handle(Versioned<S> before, C message) throws Exception {
        Decision<E, R> decision = Objects.requireNonNull(behavior.decide(before.state(), message), "the decision");
        List<byte[]> encoded = new ArrayList<>(decision.events().size());
        S state = before.state();
        for (E event : decision.events()) {
            encoded.add(log.events().encode(event));
            state = applied(state, event);
        }
        byte[] snapshot = snapshot(before.version(), before.version() + encoded.size(), state);
        return new Step<>(encoded, snapshot, state, decision.reply(), decision.effects());
    }

    private S applied(S state, E event) {
        return Objects.requireNonNull(behavior.apply(state, event), "the state after an event");
    }

    /** Returns the encoded state if it is to be stored. A failure does not fail the message: the events have it all. */
    private byte @Nullable [] snapshot(long before, long after, S state) {
        Snapshots<S> snapshots = log.snapshots();
        if (snapshots == null || !snapshots.isDue(before, after)) {
            return null;
        }
        try {
            return snapshots.states().encode(state);
        } catch (RuntimeException e) {
            warn("The state of {} cannot be encoded: no snapshot is stored.", e);
            return null;
        }
    }

    @Override
    public Versioned<S> load() throws Exception {
        StoredHistory history = log.store().recover(log.name(), key, DurableStore.PAGE_EVENTS);
        Stored stored = history.entity();
        if (stored.state() != null && stored.version() == 0) {
            throw new IllegalStateException(
                    log.name() + "/" + key + " has no events: it is an entity of Durable, not of EventSourced");
        }
        S state = decode(stored);
        long version = state == null ? 0 : stored.stateVersion();
        if (state == null) {
            state = Objects.requireNonNull(behavior.initial(), "the initial state");
        }
        var events = new History<>(log, key, version, false);
        if (version == stored.stateVersion()) {
            events.continueWith(history.events());
        }
        for (Recorded<E> event = events.next(); event != null; event = events.next()) {
            state = restored(state, event);
            version = event.version();
        }
        if (version < stored.version()) {
            throw new IllegalStateException("event " + (version + 1) + " of " + log.name() + "/" + key + " is missing");
        }
        return new Versioned<>(stored.revision(), version, state);
    }

    private S restored(S before, Recorded<E> recorded) {
        try {
            return applied(before, recorded.event());
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "event " + recorded.version() + " of " + log.name() + "/" + key + " cannot be applied: " + e, e);
        }
    }

    /** Returns the last snapshot, or null if there is none that can be decoded. */
    private @Nullable S decode(Stored stored) {
        Snapshots<S> snapshots = log.snapshots();
        if (snapshots == null || stored.state() == null) {
            return null;
        }
        try {
            return snapshots.states().decode(stored.state());
        } catch (RuntimeException e) {
            warn("The snapshot of {} cannot be decoded: its state is restored from all events.", e);
            return null;
        }
    }

    private void warn(String text, RuntimeException e) {
        if (SNAPSHOT_WARNINGS.tryLog()) {
            LOG.warn(text, log.name() + "/" + key, e);
        }
    }

    @Override
    public void onEnd() throws Exception {
        behavior.onEnd();
    }
}
