package io.fibry.http;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The deadline of one exchange for its client. When it passes while a thread waits for the client, {@link
 * ClientDeadlines} interrupts that thread. The interrupt closes the channel on which it waits, and so the connection.
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
     */
    record Piece(Thread thread, long deadline) {}

    private enum End {
        EXPIRING,
        EXPIRED
    }

    private final ClientDeadlines server;

    /** Null while nothing waits, the wait under way, or the state of its expiry. */
    private final AtomicReference<@Nullable Object> current = new AtomicReference<>();

    ClientDeadline(ClientDeadlines server) {
        this.server = server;
    }

    /** The deadline of a request whose body is read from now on, for {@link #begin}. */
    long requestDeadline() {
        return server.requestDeadline();
    }

    /** As {@link #begin}, for the next bytes of a response, or for a whole response. */
    @Nullable
    Piece beginWrite() {
        return begin(server.writeDeadline());
    }

    /** As {@link #begin}, for the rest of a request whose response is the last one of its connection. */
    @Nullable
    Piece beginLinger() {
        return begin(server.lingerDeadline());
    }

    /**
     * Begins a wait of this thread. The caller passes the result to {@link #end}. Null if a wait of this exchange is
     * under way already, of this thread or of another one: then the deadline of that wait applies.
     */
    @Nullable
    Piece begin(long nanoDeadline) {
        var piece = new Piece(Thread.currentThread(), nanoDeadline);
        return current.compareAndSet(null, piece) ? piece : null;
    }

    /** Whether a wait is under way, so that {@link #begin} would return null. */
    boolean isWaiting() {
        return current.get() != null;
    }

    /** Ends a wait. True if its deadline has passed; then the interrupt has been delivered and cleared. */
    boolean end(@Nullable Piece piece) {
        if (piece == null || current.compareAndSet(piece, null)) {
            return false;
        }
        while (current.get() != End.EXPIRED) {
            Thread.onSpinWait(); // only while check() interrupts this thread
        }
        current.set(null);
        Thread.interrupted();
        server.countExceeded();
        return true;
    }

    /** Interrupts the waiting thread if its deadline has passed. Any thread may call it. */
    void check(long now) {
        if (current.get() instanceof Piece piece
                && piece.deadline - now <= 0
                && current.compareAndSet(piece, End.EXPIRING)) {
            try {
                piece.thread.interrupt();
            } finally {
                current.set(End.EXPIRED); // even after an exception: end() spins until it reads this
            }
        }
    }
}
