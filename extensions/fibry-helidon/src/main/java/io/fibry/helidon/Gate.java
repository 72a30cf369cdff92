package io.fibry.helidon;

import io.fibry.sockets.LastRequests;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the requests in progress and the open WebSocket sessions. It admits no request beyond its limit and nothing
 * once it is closed, and signals when the last one has left.
 *
 * <p>Invariant: once the latch is open after {@link #close}, nothing is inside, and nothing enters. One atomic int
 * holds the count, and in its sign bit whether the gate is closed. If an {@link #enter} comes before the close, the
 * close sees it in the count, and the last {@link #leave} opens the latch. If it comes after, it sees the sign bit, and
 * is refused.
 */
final class Gate {

    private static final int CLOSED = Integer.MIN_VALUE;

    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger sessions = new AtomicInteger();
    private final CountDownLatch empty = new CountDownLatch(1);
    private final LastRequests lastRequests = new LastRequests();
    private final int maxRequests;

    Gate(int maxRequests) {
        this.maxRequests = maxRequests;
    }

    /** After true, the caller must {@link #leaveRequest}. */
    boolean enterRequest() {
        if (requests.incrementAndGet() <= maxRequests && enter()) {
            return true;
        }
        requests.decrementAndGet();
        return false;
    }

    void leaveRequest() {
        requests.decrementAndGet();
        leave();
    }

    /** After true, the caller must {@link #leaveSession}. */
    boolean enterSession() {
        if (enter()) {
            sessions.incrementAndGet();
            return true;
        }
        return false;
    }

    void leaveSession() {
        sessions.decrementAndGet();
        leave();
    }

    int sessions() {
        return sessions.get();
    }

    private boolean enter() {
        return inside.getAndUpdate(seen -> seen < 0 ? seen : seen + 1) >= 0;
    }

    private void leave() {
        if (inside.decrementAndGet() == CLOSED) {
            empty.countDown();
        }
    }

    boolean isClosed() {
        return inside.get() < 0;
    }

    void close() {
        if ((inside.getAndUpdate(seen -> seen | CLOSED) & ~CLOSED) == 0) {
            empty.countDown();
        }
    }

    /** Closes the gate and releases {@link #awaitEmpty} at once, although something may still be inside. */
    void abandon() {
        lastRequests.abandon(); // before the server's loop can see it, and its children are stopped
        close();
        empty.countDown();
    }

    boolean isAbandoned() {
        return lastRequests.isAbandoned();
    }

    /** Notes that the connection of a request stays open after its response. Call it inside. */
    void keptOpen() {
        lastRequests.keptOpen();
    }

    /** As {@link LastRequests#await}, after {@link #awaitEmpty}. */
    void awaitLastRequests(long millis) throws InterruptedException {
        lastRequests.await(millis);
    }

    /** Waits until the gate is closed and empty, or abandoned. False if the timeout comes first. */
    boolean awaitEmpty(long millis) throws InterruptedException {
        return empty.await(millis, TimeUnit.MILLISECONDS);
    }
}
