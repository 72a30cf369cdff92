package io.fibry.bench.savina;

/** The peers of the suite, named as in the other benchmarks. */
public enum Worlds {
    /** This library. */
    FIBRY,
    /** Pekko typed. */
    PEKKO,
    /** Coroutines of Kotlin with channels. */
    KOTLIN,
    /** Virtual threads with queues of the JDK. */
    VIRTUAL_THREADS;

    /** Starts the peer. */
    public World open() {
        return switch (this) {
            case FIBRY -> new FibryWorld();
            case PEKKO -> new PekkoWorld();
            case KOTLIN -> new KotlinWorld();
            case VIRTUAL_THREADS -> new VirtualThreadWorld();
        };
    }
}
