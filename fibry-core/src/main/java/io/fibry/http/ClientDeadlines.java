package io.fibry.http;

import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What the exchanges of a server wait for from their clients, and for how long. */
final class ClientDeadlines {

    private static final long SLOWEST_TICK_MILLIS = 1000;

    private static final long LINGER_NANOS = 1_000_000_000;

    /** As many as there were exchanges at once. They are used again: to note one here costs more than to pass it on. */
    private final Set<ClientDeadline> all = ConcurrentHashMap.newKeySet();

    private final Queue<ClientDeadline> free = new ConcurrentLinkedQueue<>();
    private final long requestNanos;
    private final long writeNanos;
    private final long tickMillis;

    ClientDeadlines(HttpOptions options) {
        requestNanos = saturatedNanos(options.requestTimeout());
        writeNanos = saturatedNanos(options.writeTimeout());
        tickMillis = Math.clamp(Math.min(requestNanos, writeNanos) / 4_000_000, 1, SLOWEST_TICK_MILLIS);
    }

    /** A century is enough; more could not be compared with the clock. */
    private static long saturatedNanos(Duration duration) {
        Duration longest = Duration.ofDays(36_500);
        return (duration.compareTo(longest) > 0 ? longest : duration).toNanos();
    }

    /** For an exchange that begins; to be given back. */
    ClientDeadline take() {
        ClientDeadline deadline = free.poll();
        if (deadline == null) {
            deadline = new ClientDeadline(this);
            all.add(deadline);
        }
        return deadline;
    }

    /** Of an exchange that has ended. */
    void giveBack(ClientDeadline deadline) {
        if (deadline.isWaiting()) {
            all.remove(deadline); // a thread of the handler's own still waits for this client
        } else {
            free.add(deadline);
        }
    }

    /** When a request that is read from now on has to be there. */
    long requestDeadline() {
        return System.nanoTime() + requestNanos;
    }

    /** When a client has to take the next bytes. */
    long writeDeadline() {
        return System.nanoTime() + writeNanos;
    }

    /** Likewise; if it is the last response of a connection, what is left of its request is not worth waiting for. */
    long responseDeadline(boolean last) {
        return last ? System.nanoTime() + Math.min(writeNanos, LINGER_NANOS) : writeDeadline();
    }

    /** How often to check. */
    long tickMillis() {
        return tickMillis;
    }

    /** Ends the waiting of those whose time is over. */
    void check() {
        long now = System.nanoTime();
        all.forEach(deadline -> deadline.check(now));
    }
}
