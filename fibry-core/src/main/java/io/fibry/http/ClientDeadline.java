package io.fibry.http;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The waiting of one exchange for its client, at most until a deadline: then {@link ClientDeadlines} interrupts the thread, which
 * closes the connection it waits for.
 */
final class ClientDeadline {

    /** One piece of waiting: an object of its own, so that who finds its deadline passed ends this one and none after it. */
    record Piece(Thread thread, long deadline) {}

    private enum End {
        EXPIRING,
        EXPIRED
    }

    private final ClientDeadlines server;

    /** Null, a piece, or how it ends. */
    private final AtomicReference<@Nullable Object> current = new AtomicReference<>();

    ClientDeadline(ClientDeadlines server) {
        this.server = server;
    }

    /** When a request that is read from now on has to be there: for {@link #begin}. */
    long requestDeadline() {
        return server.requestDeadline();
    }

    /** {@link #begin} for the next bytes of a response. */
    @Nullable
    Piece beginWrite() {
        return begin(server.writeDeadline());
    }

    /** {@link #begin} for a whole response, perhaps the last one of its connection. */
    @Nullable
    Piece beginResponse(boolean last) {
        return begin(server.responseDeadline(last));
    }

    /**
     * Before the thread waits: for {@link #end}. Null if it waits already, or if another thread does: the rest of such a
     * piece then counts to the first one.
     */
    @Nullable
    Piece begin(long nanoDeadline) {
        var piece = new Piece(Thread.currentThread(), nanoDeadline);
        return current.compareAndSet(null, piece) ? piece : null;
    }

    /** Whether a piece has begun, so that another one would not. */
    boolean isWaiting() {
        return current.get() != null;
    }

    /** After it; true if the deadline has passed, and then the interrupt has come and gone. */
    boolean end(@Nullable Piece piece) {
        if (piece == null || current.compareAndSet(piece, null)) {
            return false;
        }
        while (current.get() != End.EXPIRED) {
            Thread.onSpinWait(); // the other thread is between two lines of check
        }
        current.set(null);
        Thread.interrupted();
        return true;
    }

    /** Interrupts the thread if its deadline has passed. Any thread. */
    void check(long now) {
        if (current.get() instanceof Piece piece
                && piece.deadline - now <= 0
                && current.compareAndSet(piece, End.EXPIRING)) {
            try {
                piece.thread.interrupt();
            } finally {
                current.set(End.EXPIRED); // in any case: the one that waits goes on only then
            }
        }
    }
}
