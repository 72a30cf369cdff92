package io.fibry.cluster.state;

import org.jspecify.annotations.Nullable;

/**
 * Where the state of entities is kept. Each state has a version: 1 when it is stored first, and one more with each change. It keeps an
 * entity that has moved, and does not know it yet, from overwriting what its successor has stored. Any thread may use a store; all
 * methods may block.
 *
 * <p>{@link JdbcStateStore} is the one for databases.
 */
public interface StateStore {

    /**
     * The state that was stored last; null if there is none. What this returns must survive as what {@link #save} has stored.
     *
     * @throws Exception if the store cannot be read
     */
    @Nullable
    Stored load(String type, String id) throws Exception;

    /**
     * Stores a state if the stored version is the expected one, in one step. When it returns, the state survives a failure of the
     * process or machine. The stored version is then one more.
     *
     * @param expected the version that it replaces; 0 if none is stored
     * @throws StaleStateException if the version is another one: nothing has been stored
     * @throws Exception any other failure, also an interrupt: nobody knows whether the state has been stored
     */
    void save(String type, String id, long expected, byte[] state) throws Exception;

    /**
     * A state as it is stored.
     *
     * @param version from 1
     * @param state its bytes; not to be changed
     */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    record Stored(long version, byte[] state) {}
}
