package io.fibry.bench.hunt;

/** The kinds of actors in a {@link Program}. */
enum Kind {
    ACTOR("newActor"),
    ACTOR_FROM("newActorFrom"),
    REPLYING("newActorWithReturn"),
    REPLYING_FROM("newActorWithReturnFrom"),
    POOL("WorkerPool.startWithReturn"),
    BATCHER("Batcher.startWithReturn"),
    TOPIC("LocalTopic.start"),
    ENTITIES("LocalEntities.start"),
    SUPERVISOR("newSupervisor");

    /** The method that creates the actor. */
    final String method;

    Kind(String method) {
        this.method = method;
    }

    /** Returns whether the actor is a single actor of the kernel, not a feature that consists of several. */
    boolean isSingle() {
        return compareTo(POOL) < 0;
    }

    /** Returns whether a factory with a context creates the behavior. */
    boolean hasContext() {
        return this == ACTOR_FROM || this == REPLYING_FROM;
    }
}
