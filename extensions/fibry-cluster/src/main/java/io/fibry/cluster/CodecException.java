package io.fibry.cluster;

import org.jspecify.annotations.Nullable;

/** A message that cannot be encoded or decoded: for instance of a type that is not allowed, or too large. */
public final class CodecException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    /** Makes an exception with a message and, if there is one, a cause. */
    public CodecException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
