package io.fibry.http;

import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** The deadlines of a server's exchanges: how long each of them may wait for its client. */
final class ClientDeadlines {

    private static final long SLOWEST_TICK_MILLIS = 1000;

    private static final long LINGER_NANOS = 1_000_000_000;

    /** The deadlines to check. Pooled in {@link #free}, because adding one to this set costs more than reusing one. */
    private final Set<ClientDeadline> all = ConcurrentHashMap.newKeySet();

    private final Queue<ClientDeadline> free = new ConcurrentLinkedQueue<>();
    private final LongAdder exceeded = new LongAdder();
    private final long requestNanos;
    private final long writeNanos;
    private final long tickMillis;

    ClientDeadlines(HttpOptions options) {
        requestNanos = saturatedNanos(options.requestTimeout());
        writeNanos = saturatedNanos(options.writeTimeout());
        tickMillis = Math.clamp(Math.min(requestNanos, writeNanos) / 4_000_000, 1, SLOWEST_TICK_MILLIS);
    }

    /** At most a century: larger values would overflow when they are added to {@link System#nanoTime}. */
    private static long saturatedNanos(Duration duration) {
        Duration longest = Duration.ofDays(36_500);
        return (duration.compareTo(longest) > 0 ? longest : duration).toNanos();
    }

    /** Takes a deadline for a new exchange. When the exchange ends, pass it to {@link #giveBack}. */
    ClientDeadline take() {
        ClientDeadline deadline = free.poll();
        if (deadline == null) {
            deadline = new ClientDeadline(this);
            all.add(deadline);
        }
        return deadline;
    }

    /** Takes back the deadline of an exchange that has ended. */
    void giveBack(ClientDeadline deadline) {
        if (deadline.isWaiting()) {
            all.remove(deadline); // not reused: a thread started by the handler still waits for this client
        } else {
            free.add(deadline);
        }
    }

    /** Counts a wait whose deadline has passed. */
    void countExceeded() {
        exceeded.increment();
    }

    /** The number of waits whose deadline has passed. */
    long exceeded() {
        return exceeded.sum();
    }

    /** The deadline of a request whose body is read from now on. */
    long requestDeadline() {
        return System.nanoTime() + requestNanos;
    }

    /** The deadline for the client to accept the next bytes of a response. */
    long writeDeadline() {
        return System.nanoTime() + writeNanos;
    }

    /**
     * The deadline for the rest of a request that is read after the last response of a connection. It is short, because
     * the rest is of no use. It does not include the response: a thread may get no processor for so long.
     */
    long lingerDeadline() {
        return System.nanoTime() + Math.min(writeNanos, LINGER_NANOS);
    }

    /** The interval between two calls of {@link #check}. */
    long tickMillis() {
        return tickMillis;
    }

    /** Interrupts the threads whose deadline has passed. */
    void check() {
        long now = System.nanoTime();
        all.forEach(deadline -> deadline.check(now));
    }
}
