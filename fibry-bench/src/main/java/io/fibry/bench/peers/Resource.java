package io.fibry.bench.peers;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A resource with few permits, such as a database with four connections. A use takes some time. The resource counts its
 * users.
 */
public final class Resource {

    private final int permits;
    private final int millis;
    private final Semaphore free;
    private final AtomicInteger users = new AtomicInteger();
    private final AtomicInteger mostUsers = new AtomicInteger();

    /**
     * @param permits the maximum number of concurrent uses
     * @param millis the duration of a use
     */
    public Resource(int permits, int millis) {
        this.permits = permits;
        this.millis = millis;
        free = new Semaphore(permits);
    }

    int permits() {
        return permits;
    }

    int millis() {
        return millis;
    }

    /** Blocks until a permit is available, and for the duration of the use. */
    void use() {
        free.acquireUninterruptibly();
        useWithPermit();
        free.release();
    }

    /** Uses the resource. The caller limits the concurrency. Blocks for the duration of the use. */
    void useWithPermit() {
        begin();
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        end();
    }

    void begin() {
        mostUsers.accumulateAndGet(users.incrementAndGet(), Math::max);
    }

    void end() {
        users.decrementAndGet();
    }

    /** Returns the maximum number of concurrent uses. */
    public int mostUsers() {
        return mostUsers.get();
    }
}
