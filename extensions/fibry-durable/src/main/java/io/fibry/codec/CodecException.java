package io.fibry.codec;

import io.fibry.dispatch.LogText;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a message cannot be encoded or decoded, for instance because its type is not permitted or it is too
 * large.
 */
public final class CodecException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    /** Creates an exception with a message and an optional cause. */
    public CodecException(String message, @Nullable Throwable cause) {
        super(LogText.plain(message), cause);
    }
}
