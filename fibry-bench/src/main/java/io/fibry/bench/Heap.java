package io.fibry.bench;

/** How much of the heap is in use. */
final class Heap {

    private static final int ATTEMPTS = 10;

    private Heap() {}

    /** The bytes that are reachable: collects until they hardly change any more, as new actors may still be starting. */
    static long used() {
        long used = collected();
        for (int i = 0; i < ATTEMPTS; i++) {
            long next = collected();
            if (Math.abs(next - used) < used * 0.001) {
                return next;
            }
            used = next;
        }
        return used;
    }

    private static long collected() {
        System.gc();
        var runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
