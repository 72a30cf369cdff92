package io.fibry.cluster;

import io.fibry.dispatch.LogText;

/**
 * Completes an ask whose handling failed. The message has the class and the message of the exception: failures are sent
 * as text, because the class of an exception may not exist on another node.
 */
public final class EntityFailedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Creates an exception with the name of the entity and the text of its failure. */
    public EntityFailedException(String entity, String failure) {
        super(LogText.plain("entity " + entity + " has failed: " + failure));
    }
}
