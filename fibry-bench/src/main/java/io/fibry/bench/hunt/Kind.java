package io.fibry.bench.hunt;

/** The kinds of actors in a {@link Program}. */
enum Kind {
    ACTOR("newActor"),
    ACTOR_FROM("newActorFrom"),
    REPLYING("newActorWithReturn"),
    REPLYING_FROM("newActorWithReturnFrom"),
    POOL("WorkerPool.startWithReturn"),
    BATCHER("Batcher.startWithReturn"),
    TOPIC("Topic.start"),
    ENTITIES("LocalEntities.start"),
    SUPERVISOR("newSupervisor");

    /** The method that makes the actor. */
    final String method;

    Kind(String method) {
        this.method = method;
    }

    /** Whether the actor is one actor of the kernel, and no feature that consists of several. */
    boolean isSingle() {
        return compareTo(POOL) < 0;
    }

    /** Whether a factory makes the behavior, which gets a context. */
    boolean hasContext() {
        return this == ACTOR_FROM || this == REPLYING_FROM;
    }
}
