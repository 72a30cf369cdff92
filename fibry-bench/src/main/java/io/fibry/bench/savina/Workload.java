package io.fibry.bench.savina;

/**
 * A workload of the suite with a size. It can run several times; its input is created in advance, and shared by all
 * runs.
 */
public interface Workload {

    /** Creates the first actor. It receives {@link SavinaActor#START}, and creates all others. */
    SavinaActor main();

    /** Returns the expected {@linkplain SavinaActor#finish result}, computed without actors. */
    Object expected();
}
