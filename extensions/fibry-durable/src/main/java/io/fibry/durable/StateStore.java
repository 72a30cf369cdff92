package io.fibry.durable;

import org.jspecify.annotations.Nullable;

/**
 * A store for the states of entities. Each state has a version, which is 1 when it is first stored and is incremented
 * by each change. The version prevents an entity that has moved from overwriting the state of its successor. All
 * methods must be safe for use by any thread, and may block.
 *
 * <p>{@link JdbcStateStore} is the implementation for databases.
 */
public interface StateStore {

    /**
     * Returns the last stored state, or null if there is none. The returned state must be durable, like a state stored
     * by {@link #save}.
     *
     * @throws Exception if the store cannot be read
     */
    @Nullable
    Stored load(String type, String id) throws Exception;

    /**
     * Atomically stores a state if the stored version is the expected one, and increments the version. When this method
     * returns, the state survives a failure of the process and of the machine.
     *
     * @param expected the version to replace; 0 if none is stored
     * @throws StaleStateException if the stored version differs; nothing was stored
     * @throws Exception any other failure, including an interrupt; the outcome is unknown
     */
    void save(String type, String id, long expected, byte[] state) throws Exception;

    /**
     * A stored state.
     *
     * @param version the version, from 1
     * @param state its bytes; must not be modified
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Stored(long version, byte[] state) {}
}
