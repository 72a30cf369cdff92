package io.fibry.cluster;

import org.jspecify.annotations.Nullable;

/** Thrown when a node cannot join a cluster. The message has the reason and the remedy. */
public final class ClusterJoinException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Creates an exception with a message and an optional cause. */
    public ClusterJoinException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
