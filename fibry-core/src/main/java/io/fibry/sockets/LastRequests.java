package io.fibry.sockets;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The wait of a stopping server for the last request of each connection that has just been used. Without it, a
 * connection would be closed while its next request is on its way. Any thread may use it.
 */
public final class LastRequests {

    private final CountDownLatch abandoned = new CountDownLatch(1);

    /** When the last response ended after which the client may send another request. */
    private volatile long kept = System.nanoTime() - TimeUnit.DAYS.toNanos(1);

    /** Notes that a connection stays open after a response. Call it before the request counts as ended. */
    public void keptOpen() {
        kept = System.nanoTime();
    }

    /**
     * Waits until no connection has been kept open for this time, or until {@link #abandon}. Call it after all requests
     * have ended: then the calls of {@link #keptOpen} are visible.
     */
    public void await(long millis) throws InterruptedException {
        long left = TimeUnit.MILLISECONDS.toNanos(millis) - (System.nanoTime() - kept);
        if (left > 0) {
            boolean end = abandoned.await(left, TimeUnit.NANOSECONDS);
            assert !end || isAbandoned();
        }
    }

    /** Ends the wait, now and later. */
    public void abandon() {
        abandoned.countDown();
    }

    public boolean isAbandoned() {
        return abandoned.getCount() == 0;
    }
}
