package io.fibry;

import io.fibry.dispatch.ControlledFuture;
import io.fibry.dispatch.OutOfMemory;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The futures of those who wait for room in a full {@link WaitingRoom}, the oldest first; see {@link Actor#room}.
 *
 * <p><b>Nobody waits while there is room.</b> Invariant: while there is a future, the room is full and open, or a consumer or a
 * stopper has yet to look here. A future is added under the lock of the room, and only if the room is full and open. A consumer that
 * takes a message looks after that, and a stop looks after the close.
 *
 * <p><b>Nobody keeps the others waiting.</b> The consumer completes one future, and looks again, until there is no room or no future. So
 * if an owner leaves the room to others, or has given up, the next one is told. If its stages use the room at once, the rest wait on, in
 * their order. Owners that only wake up by it are told together as long as there is room, and race for it. Those who lose ask again, and
 * are then behind all others.
 *
 * <p>Futures are completed without the lock, since stages that depend on them run code of users. Those who have given up stay here until
 * their turn comes, or until half of the futures may be of that kind. So to clean up costs a constant time for each.
 */
final class RoomFutures {

    private static final int FEW = 64;

    private final ReentrantLock lock;
    private final BooleanSupplier hasRoom;
    private final Queue<CompletableFuture<@Nullable Void>> waiting =
            new ArrayDeque<>(); // under the lock, as is the next
    private int cleanUpAt = FEW;

    /** With the lock of a room, and whether it is open and there is room; called under the lock. */
    RoomFutures(ReentrantLock lock, BooleanSupplier hasRoom) {
        this.lock = lock;
        this.hasRoom = hasRoom;
    }

    /** A future that is complete if there is room. Under the lock, while the room is open. */
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

    /** Completes futures while there is room. By the consumer, after it has taken a message. */
    static void passRoomOn(@Nullable RoomFutures futures) {
        if (futures != null) {
            futures.complete(false, null);
        }
    }

    /** The room has been closed. */
    void fail(ActorStoppedException e) {
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

    /** Throws nothing: neither the message that the consumer has taken may be lost, nor a stop. The second time, the rest of the stages run. */
    static void complete(CompletableFuture<@Nullable Void> future, @Nullable ActorStoppedException e) {
        boolean done = false;
        while (!done) {
            try {
                boolean unused = e == null ? future.complete(null) : future.completeExceptionally(e);
                done = true;
            } catch (OutOfMemoryError again) {
                OutOfMemory.pause();
            }
        }
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
