package io.fibry.batch;

import io.fibry.dispatch.LogText;

/** Logged when a batch fails that contains messages without an asker. */
final class BatchFailedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    BatchFailedException(String message, Throwable cause) {
        super(LogText.plain(message), cause);
    }
}
