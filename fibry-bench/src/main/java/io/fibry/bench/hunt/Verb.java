package io.fibry.bench.hunt;

/** The action of a strand on an actor of a {@link Program}. */
enum Verb {
    TELL,
    TRY_TELL,
    TELL_ALL,
    ASK,
    ASK_TIMED,
    ASK_REPLY_TO,
    CALL,
    EXECUTE,
    /** Sends one message each to new keys of entities. */
    TELL_NEW_KEYS,
    /** Spins on {@code find} until the name is registered, and sends a message. */
    FIND,
    EXPECT,
    SUBSCRIBE,
    STOP,
    DISCARD,
    INTERRUPT,
    STOP_BY_DEADLINE,
    CLOSE,
    WAIT_FOR_EXIT,
    /** Ends the entity of a key, or stops a child of a supervisor. */
    END,
    /** Restarts the actor under its name after its end. */
    START_AGAIN,
    DUMP,
    SLEEP,
    CLOSE_SYSTEM;

    /** Returns whether the verb sends messages, which have an {@link Act}. */
    boolean sends() {
        return compareTo(EXPECT) <= 0 && this != EXECUTE;
    }
}
