package io.fibry.bench.hunt;

/** The action of a handler. An act that its actor has no method for does nothing. */
enum Act {
    NOTHING,
    /** Throws an {@link Intended}. */
    FAIL,
    SLEEP,
    STASH,
    UNSTASH,
    /** Defers the reply. */
    DEFER,
    /** Completes all deferred replies. */
    REPLY,
    AFTER,
    EVERY,
    RECEIVE_TIMEOUT,
    /** Pipes the reply of another actor to the actor itself, with {@code pipeToSelf}. */
    PIPE,
    /** Passes a stage that never completes to {@code pipeToSelf}. */
    FORGOTTEN_PIPE,
    RECEIVE,
    SPAWN,
    WATCH,
    LINK,
    TELL,
    ASK,
    CALL,
    BECOME,
    /** Holds the mailbox, and releases it by a timer. */
    HOLD,
    RELEASE,
    STOP_SELF;

    /** Returns an act for a message of a handler. It sends no message, which bounds the number of messages. */
    static Act leaf(int number) {
        return switch (number & 7) {
            case 0 -> FAIL;
            case 1 -> DEFER;
            case 2 -> REPLY;
            case 3 -> SLEEP;
            default -> NOTHING;
        };
    }
}
