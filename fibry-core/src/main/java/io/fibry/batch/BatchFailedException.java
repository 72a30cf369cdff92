package io.fibry.batch;

/** For the log: a batch has failed that has messages whose senders do not learn of it. */
final class BatchFailedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    BatchFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
