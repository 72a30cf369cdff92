package io.fibry.cluster;

import org.jspecify.annotations.Nullable;

/** A node could not join a cluster. The text says why, and what to do. */
public final class ClusterJoinException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Makes an exception with a message and, if there is one, a cause. */
    public ClusterJoinException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
