package io.fibry.durable;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The behavior of one entity, and the stored form of its state. {@link StoredEntity} has the current state, and stores
 * the steps.
 */
interface EntityLogic<S, M, R extends @Nullable Object> {

    /**
     * A state and its place in the history.
     *
     * @param revision the number of changes
     * @param version the number of events
     */
    record Versioned<S>(long revision, long version, S state) {}

    /**
     * The result of a message, which is not stored yet.
     *
     * @param events the encoded events
     * @param stored the encoded state after the message if it is to be stored
     * @param state the state after the message
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Step<S, R extends @Nullable Object>(
            List<byte[]> events, byte @Nullable [] stored, S state, R reply, List<Effect> effects) {}

    /** Returns the stored state, or the initial one. */
    Versioned<S> load() throws Exception;

    /** Handles a message without storing anything. */
    Step<S, R> handle(Versioned<S> before, M message) throws Exception;

    /** See {@link io.fibry.entity.EntityBehavior#onEnd}. */
    void onEnd() throws Exception;
}
