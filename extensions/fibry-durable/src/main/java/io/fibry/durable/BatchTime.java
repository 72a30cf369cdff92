package io.fibry.durable;

import java.util.concurrent.TimeUnit;

/** Ends a batch after some time: a transaction must not grow old, and the end of a projection must not wait for it. */
final class BatchTime {

    private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final long start = System.nanoTime();
    private final Batch.Halt halt;

    BatchTime(Batch.Halt halt) {
        this.halt = halt;
    }

    /** Returns whether another event may be handled. */
    boolean mayContinue() {
        return !halt.isRequested() && System.nanoTime() - start < MAX_NANOS;
    }
}
