package io.fibry.bench.peers;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** What only a few may use at a time, as a database with four connections. A use takes a while. It counts its users. */
public final class Resource {

    private final int permits;
    private final int millis;
    private final Semaphore free;
    private final AtomicInteger users = new AtomicInteger();
    private final AtomicInteger mostUsers = new AtomicInteger();

    /**
     * @param permits how many may use it at a time
     * @param millis how long a use takes
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

    /** Blocks until a permit is free, and for the time of the use. */
    void use() {
        free.acquireUninterruptibly();
        useWithPermit();
        free.release();
    }

    /** A use by somebody who sees to it that there are not too many. Blocks for its time. */
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

    /** How many there have been at a time. */
    public int mostUsers() {
        return mostUsers.get();
    }
}
