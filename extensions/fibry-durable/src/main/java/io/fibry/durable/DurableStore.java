package io.fibry.durable;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A store for the states and the events of entities. Each entity has a version, which is 0 before its first change and
 * increases with each change. A change is conditional on the version: an entity that has moved to another node cannot
 * overwrite what its successor has stored. All methods must be safe for use by any thread, and may block.
 *
 * <p>{@link JdbcStore} is the implementation for databases.
 */
public interface DurableStore {

    /**
     * Returns the last stored state and version of an entity, or null if nothing is stored. The result must be durable,
     * as after {@link #write}.
     *
     * @throws Exception if the store cannot be read
     */
    @Nullable
    Stored load(String type, String id) throws Exception;

    /**
     * Returns the events of an entity after a version, in order of their versions.
     *
     * @param limit the maximum number of events
     * @throws Exception if the store cannot be read
     */
    List<StoredEvent> events(String type, String id, long after, int limit) throws Exception;

    /**
     * Atomically stores a change of an entity if the stored version is the expected one. When this method returns, the
     * change survives a failure of the process and of the machine.
     *
     * @throws StaleStateException if the stored version differs; nothing was stored
     * @throws Exception any other failure, including an interrupt; the outcome is unknown
     */
    void write(Write write) throws Exception;

    /**
     * Deletes the events of an entity up to its last stored state, and returns their number.
     *
     * @throws Exception if the store fails; the outcome is unknown
     */
    long deleteEvents(String type, String id) throws Exception;

    /**
     * The stored state of an entity.
     *
     * @param version the version of the last change
     * @param state the bytes of the last stored state, or null if only events are stored; must not be modified
     * @param stateVersion the version of the state; later changes are events. 0 without a state
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Stored(long version, byte @Nullable [] state, long stateVersion) {}

    /**
     * A stored event.
     *
     * @param version the version of the entity after the event
     * @param time the time at which it was stored, by the clock of the node
     * @param event its bytes; must not be modified
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record StoredEvent(long version, Instant time, byte[] event) {}

    /**
     * A change of an entity: events, a new state, or both.
     *
     * @param expected the version before the change; 0 for a new entity
     * @param events the events; each of them increments the version
     * @param state the state after the change, or null if it is not stored
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Write(String type, String id, long expected, List<byte[]> events, byte @Nullable [] state) {

        /** Creates a change. */
        public Write {
            events = List.copyOf(events);
            if (expected < 0) {
                throw new IllegalArgumentException("the expected version must not be negative: " + expected);
            }
            if (events.isEmpty() && state == null) {
                throw new IllegalArgumentException("a change needs an event or a state");
            }
        }

        /** Returns the version after the change. */
        public long version() {
            return expected + Math.max(1, events.size());
        }
    }
}
