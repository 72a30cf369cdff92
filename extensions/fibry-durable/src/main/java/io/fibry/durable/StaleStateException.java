package io.fibry.durable;

import io.fibry.dispatch.LogText;

/**
 * Thrown when a change is not stored because the store does not have the expected revision: the entity has another
 * owner, or an attempt that failed for the client has succeeded in the database.
 */
public final class StaleStateException extends RuntimeException {

    private static final long serialVersionUID = 1;

    StaleStateException(String type, String id, long expected) {
        super("the stored state of " + LogText.plain(type + "/" + id) + " has another revision than " + expected
                + ": it has another owner, or an earlier attempt to store it has succeeded");
    }
}
