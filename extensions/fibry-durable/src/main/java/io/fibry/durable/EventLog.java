package io.fibry.durable;

import io.fibry.ThrowingFunction;
import io.fibry.codec.Codec;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The events of all entities of a type, with the behavior that reads and appends them.
 *
 * {@snippet class = "DurableSnippets" region = "log"}
 *
 * <p><b>Snapshots.</b> An entity starts with all its events, unless {@link #snapshots} is called: then the state is
 * also stored from time to time, and only the events after it are read. A snapshot that cannot be decoded is ignored,
 * and the state is restored from all events, if they have not been deleted.
 *
 * <p><b>Old events.</b> {@code RecordCodec} allows components to be added and removed. For other changes, give the
 * record a new name and convert the old one with {@code RecordCodec.upcast}.
 *
 * @param <S> the type of the state
 * @param <C> the type of the messages
 * @param <E> the type of the events
 * @param <R> the type of the replies
 */
public final class EventLog<S, C, E, R extends @Nullable Object> extends Persistence<C, R> {

    private final Codec<E> events;
    private final ThrowingFunction<String, EventSourced<S, C, E, R>> begin;
    private final @Nullable Snapshots<S> snapshots;

    private EventLog(
            DurableStore store,
            DurableType<C, R> type,
            Codec<E> events,
            ThrowingFunction<String, EventSourced<S, C, E, R>> begin,
            @Nullable Snapshots<S> snapshots) {
        super(store, type);
        this.events = Objects.requireNonNull(events, "events");
        this.begin = Objects.requireNonNull(begin, "begin");
        this.snapshots = snapshots;
    }

    /**
     * Returns the log of entities whose behavior does not depend on the key, without snapshots.
     *
     * @param events the codec of the events
     * @param behavior the behavior of all entities, called by any thread
     */
    public static <S, C, E, R extends @Nullable Object> EventLog<S, C, E, R> of(
            JdbcStore store, DurableType<C, R> type, Codec<E> events, EventSourced<S, C, E, R> behavior) {
        Objects.requireNonNull(behavior, "behavior");
        return of((DurableStore) store, type, events, key -> behavior);
    }

    /**
     * Returns the log of entities with a behavior per key; see
     * {@link #of(JdbcStore, DurableType, Codec, EventSourced)}.
     *
     * @param begin creates the behavior of an entity; called inside its actor, it may block
     */
    public static <S, C, E, R extends @Nullable Object> EventLog<S, C, E, R> of(
            JdbcStore store,
            DurableType<C, R> type,
            Codec<E> events,
            ThrowingFunction<String, EventSourced<S, C, E, R>> begin) {
        return of((DurableStore) store, type, events, begin);
    }

    static <S, C, E, R extends @Nullable Object> EventLog<S, C, E, R> of(
            DurableStore store,
            DurableType<C, R> type,
            Codec<E> events,
            ThrowingFunction<String, EventSourced<S, C, E, R>> begin) {
        return new EventLog<>(store, type, events, begin, null);
    }

    /**
     * Returns a log that stores the state of an entity with every n-th event.
     *
     * @param states the codec of the states. A state that it cannot encode is not stored, with a warning
     * @throws IllegalArgumentException if {@code every} is not positive
     */
    public EventLog<S, C, E, R> snapshots(int every, Codec<S> states) {
        Objects.requireNonNull(states, "states");
        if (every < 1) {
            throw new IllegalArgumentException("every must be at least 1, not " + every);
        }
        return new EventLog<>(store(), type(), events, begin, new Snapshots<>(every, states));
    }

    /**
     * Returns all stored events of an entity, oldest first. The stream is lazy, and reads at most 1024 events at a
     * time. It contains events that are stored meanwhile, until it reaches the last one. Its
     * operations throw an {@link IllegalStateException} if the store fails or an event cannot be decoded.
     */
    public Stream<Recorded<E>> history(String key) {
        Objects.requireNonNull(key, "key");
        return StreamSupport.stream(new History<>(this, key, 0, true), false);
    }

    /**
     * Deletes the events of an entity up to its last snapshot, and returns their number: 0 if there is no snapshot. The
     * state then depends on the snapshot: the entity no longer starts if the log is created without {@link #snapshots},
     * or if the codec cannot decode it. Its history starts later, and a {@link Projection} that has not read the
     * deleted events misses them.
     *
     * <p>The events are deleted in several transactions, oldest first. If this method fails, some of the oldest events
     * may have been deleted, and the entity and its history remain usable. Call it again to delete the others.
     *
     * @throws Exception if the store fails, or the thread is interrupted
     */
    public long deleteHistory(String key) throws Exception {
        return store().deleteEvents(name(), Objects.requireNonNull(key, "key"));
    }

    @Override
    EntityLogic<S, C, R> logic(String key) throws Exception {
        return new EventsOfEntity<>(this, key, Objects.requireNonNull(begin.apply(key), "the behavior of an entity"));
    }

    Codec<E> events() {
        return events;
    }

    @Nullable
    Snapshots<S> snapshots() {
        return snapshots;
    }

    /** When states are stored, and how. */
    record Snapshots<S>(int every, Codec<S> states) {

        /** Returns whether one of the events between these versions is an n-th one. */
        boolean isDue(long before, long after) {
            return before / every != after / every;
        }
    }
}
