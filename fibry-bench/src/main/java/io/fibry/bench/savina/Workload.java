package io.fibry.bench.savina;

/** One workload of the suite, of some size. It can run several times; its input is made before, and shared by all runs. */
public interface Workload {

    /** A new first actor. It gets {@link SavinaActor#START}, and makes all others. */
    SavinaActor main();

    /** What the run must {@linkplain SavinaActor#finish finish} with, computed without actors. */
    Object expected();
}
