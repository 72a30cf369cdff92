package io.fibry.cluster;

import io.fibry.ActorStoppedException;

/**
 * Thrown when this node cannot reach the majority of the cluster, or is no longer a member. The message was not sent. A
 * member may try again later.
 */
public final class NoMajorityException extends ActorStoppedException {

    private static final long serialVersionUID = 1;

    /** Creates an exception with a message. */
    public NoMajorityException(String message) {
        super(message, null);
    }
}
