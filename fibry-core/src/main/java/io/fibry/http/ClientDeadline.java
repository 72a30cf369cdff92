package io.fibry.http;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The deadlines of one exchange for its client: one of a read and one of a write, since two threads may wait at the
 * same time. When one passes while a thread waits for the client, {@link ClientDeadlines} interrupts that thread. The
 * interrupt closes the channel on which it waits, and so the connection.
 *
 * <p>Invariant: the interrupt is delivered only for the wait whose deadline has passed, and never reaches later code of
 * the thread. {@link #end} and {@link #check} compete with a compare-and-set on the same {@link Piece}. If {@code end}
 * wins, {@code check} does not interrupt. If {@code check} wins, {@code end} waits until {@code check} has interrupted
 * the thread and stored {@code EXPIRED}; the interrupt is ordered before that volatile store. Then {@code end} clears
 * the interrupt.
 */
final class ClientDeadline {

    /**
     * One wait. A new object for each wait, so that the compare-and-set of a late {@link #check} cannot hit the next
     * wait.
     *
     * @param slot {@link #reading} or {@link #writing}
     */
    record Piece(AtomicReference<@Nullable Object> slot, Thread thread, long deadline) {}

    private enum End {
        EXPIRING,
        EXPIRED
    }

    private final ClientDeadlines server;

    /** Null while no thread reads, the wait under way, or the state of its expiry. */
    private final AtomicReference<@Nullable Object> reading = new AtomicReference<>();

    /** The same for writes, and for the rest of a request that is read at the end of the response. */
    private final AtomicReference<@Nullable Object> writing = new AtomicReference<>();

    ClientDeadline(ClientDeadlines server) {
        this.server = server;
    }

    /** The deadline of a request whose body is read from now on, for {@link #beginRead}. */
    long requestDeadline() {
        return server.requestDeadline();
    }

    /** As {@link #beginRead}, for the next bytes of a response, or for a whole response. */
    @Nullable
    Piece beginWrite() {
        return begin(writing, reading, server.writeDeadline());
    }

    /** As {@link #beginRead}, for the rest of a request whose response is the last one of its connection. */
    @Nullable
    Piece beginLinger() {
        return begin(writing, reading, server.lingerDeadline());
    }

    /**
     * Begins a wait of this thread. The caller passes the result to {@link #end}. Null if a wait of this thread, or
     * another one of the same kind, is under way already: then the deadline of that wait applies.
     */
    @Nullable
    Piece beginRead(long nanoDeadline) {
        return begin(reading, writing, nanoDeadline);
    }

    private static @Nullable Piece begin(
            AtomicReference<@Nullable Object> slot, AtomicReference<@Nullable Object> other, long nanoDeadline) {
        Thread thread = Thread.currentThread();
        if (other.get() instanceof Piece piece && piece.thread == thread) {
            return null;
        }
        var piece = new Piece(slot, thread, nanoDeadline);
        return slot.compareAndSet(null, piece) ? piece : null;
    }

    /** Whether a write is under way, so that {@link #beginWrite} would return null. */
    boolean isWriting() {
        return writing.get() != null;
    }

    /** Whether a wait is under way. */
    boolean isWaiting() {
        return isWriting() || reading.get() != null;
    }

    /** Ends a wait. True if its deadline has passed; then the interrupt has been delivered and cleared. */
    boolean end(@Nullable Piece piece) {
        if (piece == null || piece.slot.compareAndSet(piece, null)) {
            return false;
        }
        while (piece.slot.get() != End.EXPIRED) {
            Thread.onSpinWait(); // only while check() interrupts this thread
        }
        piece.slot.set(null);
        Thread.interrupted();
        server.countExceeded();
        return true;
    }

    /** Interrupts each waiting thread whose deadline has passed. Any thread may call it. */
    void check(long now) {
        check(reading, now);
        check(writing, now);
    }

    private static void check(AtomicReference<@Nullable Object> slot, long now) {
        if (slot.get() instanceof Piece piece && piece.deadline - now <= 0 && slot.compareAndSet(piece, End.EXPIRING)) {
            try {
                piece.thread.interrupt();
            } finally {
                slot.set(End.EXPIRED); // even after an exception: end() spins until it reads this
            }
        }
    }
}
