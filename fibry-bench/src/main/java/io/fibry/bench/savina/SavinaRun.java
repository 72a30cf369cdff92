package io.fibry.bench.savina;

/** Runs a workload on a peer, and checks each result. */
public final class SavinaRun {

    private SavinaRun() {}

    /** Runs once, and returns the time in nanoseconds from the first message to the result. */
    public static long once(World world, Workload workload, Object expected) throws InterruptedException {
        SavinaActor main = workload.main();
        long start = System.nanoTime();
        Object result = world.run(main);
        long time = System.nanoTime() - start;
        world.clear();
        if (!expected.equals(result)) {
            throw new IllegalStateException(
                    workload.getClass().getSimpleName() + " has ended with " + result + " instead of " + expected);
        }
        return time;
    }
}
