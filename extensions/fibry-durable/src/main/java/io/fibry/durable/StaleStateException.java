package io.fibry.durable;

import io.fibry.dispatch.LogText;

/**
 * Thrown when a state is not stored because the store does not have the expected version: the entity has another owner,
 * or an attempt that failed for the client has succeeded in the database.
 */
public final class StaleStateException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Creates an exception with the name of an entity and the version that it expected. */
    public StaleStateException(String type, String id, long expected) {
        super("the stored state of " + LogText.plain(type + "/" + id) + " has another version than " + expected
                + ": it has another owner, or an earlier attempt to store it has succeeded");
    }
}
