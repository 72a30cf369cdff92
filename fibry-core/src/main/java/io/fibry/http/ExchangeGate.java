package io.fibry.http;

import io.fibry.sockets.LastRequests;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the exchanges in progress. It admits none beyond its limit and none once it is closed, and signals when the
 * last one has left. Health checks have some permits beyond the limit.
 *
 * <p>Invariant: once the latch is open after {@link #close}, no exchange is inside, and none enters. One atomic int
 * holds the count, and in its sign bit whether the gate is closed. If an {@link #enter} comes before the close, the
 * close sees it in the count, and the last {@link #leave} opens the latch. If it comes after, its read or its
 * compare-and-set sees the sign bit, and it is refused.
 */
final class ExchangeGate {

    /**
     * Enough for a few proxies and monitors, and few enough that a flood of health checks cannot exhaust the server.
     */
    static final int RESERVED = 16;

    private static final int CLOSED = Integer.MIN_VALUE;

    private final AtomicInteger state = new AtomicInteger();
    private final CountDownLatch empty = new CountDownLatch(1);
    private final LastRequests lastRequests = new LastRequests();
    private final Set<Runnable> hooks = ConcurrentHashMap.newKeySet();
    private final int room;

    /** Whether a request has come after the close. */
    private volatile boolean late;

    ExchangeGate(int room) {
        this.room = room;
    }

    /** Enters, unless the gate is closed or its limit is reached. After true, the caller must {@link #leave}. */
    boolean enter() {
        return enter(room);
    }

    /** As {@link #enter()}, with the permits that are reserved for health checks. */
    boolean enterReserved() {
        return enter((int) Math.min((long) room + RESERVED, Integer.MAX_VALUE));
    }

    private boolean enter(int limit) {
        while (true) {
            int seen = state.get();
            if (seen < 0) {
                late = true;
                return false;
            }
            if (seen >= limit) {
                return false;
            }
            if (state.compareAndSet(seen, seen + 1)) {
                return true;
            }
        }
    }

    void leave() {
        if (state.decrementAndGet() == CLOSED) {
            empty.countDown();
        }
    }

    void close() {
        if ((state.getAndUpdate(seen -> seen | CLOSED) & ~CLOSED) == 0) {
            empty.countDown();
        }
        runHooks();
    }

    /** Closes the gate and releases {@link #awaitEmpty} at once, although exchanges may still be inside. */
    void abandon() {
        try {
            close();
        } finally { // also if a hook runs out of memory
            lastRequests.abandon();
            empty.countDown();
        }
    }

    /** Notes that the connection of an exchange stays open after its response. Call it inside. */
    void keptOpen() {
        lastRequests.keptOpen();
    }

    /** As {@link LastRequests#await}, after {@link #awaitEmpty}. */
    void awaitLastRequests(long millis) throws InterruptedException {
        lastRequests.await(millis);
    }

    /** Whether the last requests may still be in progress: they are refused, so they are not counted. */
    boolean mayHaveLastRequests() {
        return late && !lastRequests.isAbandoned();
    }

    /** The number of exchanges that are inside. */
    int inside() {
        return state.get() & ~CLOSED;
    }

    /**
     * Runs a hook once when the gate is closed, or now if it is. Either the close finds the hook, or this thread, which
     * adds it before it looks, sees the gate closed.
     */
    void onClose(Runnable hook) {
        hooks.add(hook);
        if (isClosed()) {
            runHooks();
        }
    }

    void forget(Runnable hook) {
        hooks.remove(hook);
    }

    private void runHooks() {
        hooks.forEach(hook -> {
            if (hooks.remove(hook)) { // the thread that removes it runs it
                hook.run();
            }
        });
    }

    boolean isClosed() {
        return state.get() < 0;
    }

    /** Waits until the gate is closed and empty, or abandoned. False if the timeout comes first. */
    boolean awaitEmpty(long millis) throws InterruptedException {
        return empty.await(millis, TimeUnit.MILLISECONDS);
    }
}
