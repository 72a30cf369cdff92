package io.fibry.cluster;

/**
 * The behavior of an entity failed while it handled an ask. The text has the class and the message of its exception: a failure travels
 * as text, since an exception of another node may have any class.
 */
public final class EntityFailedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Makes an exception with the name of the entity and the text of its failure. */
    public EntityFailedException(String entity, String failure) {
        super("entity " + entity + " has failed: " + failure);
    }
}
