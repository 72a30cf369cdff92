package io.fibry.cluster;

import io.fibry.ActorStoppedException;

/**
 * Thrown when this node cannot reach the majority of the cluster, or is no longer a part of it. The message has not been sent. If the
 * node is still a member, it may be tried again later.
 */
public final class NoMajorityException extends ActorStoppedException {

    private static final long serialVersionUID = 1;

    /** Makes an exception with a message. */
    public NoMajorityException(String message) {
        super(message, null);
    }
}
