package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.ActorStoppedException;
import io.fibry.dispatch.ControlledFuture;
import io.fibry.dispatch.OutOfMemory;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The futures of {@link Actor#whenWritable} that wait for room in a full {@link BoundedMailbox}, oldest first.
 *
 * <p><b>No future waits while there is room.</b> Invariant: while there is a future, the mailbox is full and open, or a
 * consumer or a stopper has yet to check this queue. A future is added under the lock of the mailbox, and only if it is
 * full and open. A consumer checks the queue after it has taken a message, and a stop checks it after the close.
 *
 * <p><b>No future blocks the next one.</b> The consumer completes one future, and checks again, until there is no room
 * or no future. If the owner of a future does not use the room, or has given up, the next future completes. If
 * dependent stages use the room at once, the remaining futures keep waiting, in order. Owners that are threads woken by
 * the future compete for the room; a loser has to request another future, which is added at the end.
 *
 * <p>Futures are completed without the lock, since their dependent stages run user code. A future that has been given
 * up stays here until its turn comes, or until up to half of the futures are of that kind. The cleanup therefore takes
 * amortized constant time for each.
 */
final class RoomFutures {

    private static final int FEW = 64;

    private static final BiConsumer<CompletableFuture<@Nullable Void>, @Nullable ActorStoppedException> COMPLETE =
            RoomFutures::completeOnce;

    private final ReentrantLock lock;
    private final BooleanSupplier hasRoom;
    private final Queue<CompletableFuture<@Nullable Void>> waiting =
            new ArrayDeque<>(); // guarded by the lock, as is the next
    private int cleanUpAt = FEW;

    /** Takes the lock of a mailbox, and a function under this lock: whether the mailbox is open and has room. */
    RoomFutures(ReentrantLock lock, BooleanSupplier hasRoom) {
        this.lock = lock;
        this.hasRoom = hasRoom;
    }

    /** Returns a future that is complete if there is room. Under the lock, while the mailbox is open. */
    CompletableFuture<@Nullable Void> add() {
        if (hasRoom.getAsBoolean()) {
            return CompletableFuture.completedFuture(null);
        }
        if (waiting.size() >= cleanUpAt) {
            waiting.removeIf(CompletableFuture::isDone);
            cleanUpAt = Math.max(FEW, 2 * waiting.size());
        }
        CompletableFuture<@Nullable Void> future = ControlledFuture.incomplete();
        waiting.add(future);
        return future;
    }

    /** Completes futures while there is room. Called by the consumer after it has taken a message. */
    static void passRoomOn(@Nullable RoomFutures futures) {
        if (futures != null) {
            futures.complete(false, null);
        }
    }

    /** Completes all futures, after the mailbox has been closed; they fail if an exception is given. */
    void completeAll(@Nullable ActorStoppedException e) {
        complete(true, e);
    }

    private void complete(boolean all, @Nullable ActorStoppedException e) {
        for (var next = next(all); next != null; next = next(all)) {
            complete(next, e);
        }
    }

    private @Nullable CompletableFuture<@Nullable Void> next(boolean all) {
        lock.lock();
        try {
            return all || hasRoom.getAsBoolean() ? waiting.poll() : null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Throws nothing, since neither the message taken by the consumer nor a stop may be lost. A retry runs the
     * remaining stages.
     */
    static void complete(CompletableFuture<@Nullable Void> future, @Nullable ActorStoppedException e) {
        OutOfMemory.repeat(COMPLETE, future, e);
    }

    private static void completeOnce(CompletableFuture<@Nullable Void> future, @Nullable ActorStoppedException e) {
        boolean unused = e == null ? future.complete(null) : future.completeExceptionally(e);
    }

    /** For tests. */
    int size() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }
}
