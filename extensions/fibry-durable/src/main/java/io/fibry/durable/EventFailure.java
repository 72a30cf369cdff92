package io.fibry.durable;

import io.fibry.durable.EventPage.Row;

/** Thrown inside a batch when an event cannot be handled. */
final class EventFailure extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int before;
    private final int handled;
    private final transient Row row;

    /**
     * Creates a failure.
     *
     * @param before the number of events at the beginning of the batch that are repeated without this one; 0 if this
     *     event is the first one that has not been handled
     * @param handled the number of events whose position has been stored
     */
    EventFailure(int before, int handled, Row row, Throwable cause) {
        super(cause);
        this.before = before;
        this.handled = handled;
        this.row = row;
    }

    int before() {
        return before;
    }

    int handled() {
        return handled;
    }

    Row row() {
        return row;
    }

    /** Returns the exception of the program or of the database. */
    Throwable reason() {
        Throwable cause = getCause();
        return cause == null ? this : cause;
    }
}
