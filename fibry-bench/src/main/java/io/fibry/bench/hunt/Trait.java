package io.fibry.bench.hunt;

/** The options of an actor in a {@link Program}. If two traits are mutually exclusive, the first one applies. */
enum Trait {
    NAMED("a name"),
    PLATFORM("strategy(platform())"),
    EXECUTOR("strategy(pool(cachedThreads))"),
    SAME_THREAD("strategy(pool(Runnable::run))"),
    BLOCK("bounded(2, BLOCK)"),
    FAIL("bounded(2, FAIL)"),
    DROP_NEWEST("bounded(2, DROP_NEWEST)"),
    DROP_OLDEST("bounded(2, DROP_OLDEST)"),
    PRIORITY("priority(byNumber)"),
    RESTART("supervision(restart())"),
    BACKOFF("supervision(restart().backoff(1 ms, 4 ms))"),
    STOP("supervision(stop())"),
    ESCALATE("supervision(escalate())"),
    HOOK("onStop(exit -> {})"),
    CHILD("childOf(the actor before)"),
    IDLE_TIMEOUT("idleTimeout(2 ms)"),
    MAX_IN_MEMORY("maxInMemory(2)");

    /** The option in the listing of a program. */
    final String code;

    Trait(String code) {
        this.code = code;
    }
}
