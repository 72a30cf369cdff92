package io.fibry.cluster.state;

/**
 * A state was not stored, since another version of it is stored than the expected one: the entity has another owner by now, or a failed
 * attempt to store has succeeded after all.
 */
public final class StaleStateException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Makes an exception with the name of an entity and the version that it expected. */
    public StaleStateException(String type, String id, long expected) {
        super("the stored state of " + type + "/" + id + " has another version than " + expected
                + ": it has another owner, or an earlier attempt to store it has succeeded");
    }
}
