package io.fibry.kernel;

import io.fibry.ActorInterruptedException;
import io.fibry.dispatch.ControlledFuture;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.StackRoom;
import io.fibry.dispatch.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Selective receive: a behavior waits for a message that matches a predicate.
 *
 * <p>The messages that do not match stay in hand, in order, behind the current message. The receiver releases the
 * consumer's role, like a turn that finds the mailbox empty, so that the next sender wakes it. Before that it sets
 * {@code waiting}, to get the role back. If a message has arrived in the meantime, the mailbox does not become idle,
 * and the receiver keeps the role.
 *
 * <p>Invariant: the role returns to the receiver exactly once. Sender and receiver each end the idle state by a
 * compare-and-set, so only one of them succeeds:
 *
 * <ul>
 *   <li>A sender or a stopper succeeds. It acquires the role, finds {@code waiting}, and transfers the role back by
 *       completing it. If the receiver has timed out in the meantime, its own compare-and-set fails, and it waits for
 *       the role.
 *   <li>The receiver succeeds, after its timeout or an interrupt. It holds the role, and no sender has acquired it.
 * </ul>
 *
 * <p>The role is never lost, and never held twice. Memory order: {@code waiting} is written before the compare-and-set
 * to idle, so the thread that ends the idle state sees it.
 */
final class SelectiveReceive {

    private final ActorState<?> actor;

    /** Non-null while the receiver waits. Completed by the thread that transfers the consumer's role back. */
    private volatile @Nullable CompletableFuture<Void> waiting;

    SelectiveReceive(ActorState<?> actor) {
        this.actor = actor;
    }

    /** Transfers the consumer's role to the receiver. Returns false if none waits. */
    boolean passRole() {
        CompletableFuture<Void> w = waiting;
        return w != null && w.complete(null);
    }

    /**
     * Returns the first matching plain message behind the current one, or null if none arrived in time. Consumer only.
     *
     * @throws ActorInterruptedException if the thread is interrupted, whose interrupt status is then set
     */
    @Nullable
    Envelope take(Envelope current, Predicate<Envelope> wanted, Duration timeout) {
        StackRoom.require(); // for the step that takes messages
        long end = Durations.deadline(timeout);
        BoundedMailbox bounded = actor.boundedMailbox();
        Envelope last = current; // the last message that does not match
        while (true) {
            boolean nothingMore = actor.isClosed(); // read before the search: once closed, no further message arrives
            do {
                for (Envelope e = actor.unpackAfter(last); e != null; e = actor.unpackAfter(last)) {
                    if (wanted.test(e)) {
                        actor.removeAfter(last);
                        return e;
                    }
                    last = e;
                }
            } while (actor.takeMore(last) != null);
            Envelope found = bounded == null ? null : bounded.poll(wanted);
            if (found != null) {
                return found;
            }
            long left = end - Time.nanos();
            if (nothingMore || left <= 0 || !awaitMessage(Duration.ofNanos(left))) {
                return null;
            }
        }
    }

    private boolean awaitMessage(Duration atMost) {
        try {
            return roleComesBack(atMost);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ActorInterruptedException("interrupted while actor " + actor.name() + " waited for a message", e);
        }
    }

    /**
     * Waits without the consumer's role until a message or signal arrives. Returns false on timeout. The caller holds
     * the role again in either case.
     */
    private boolean roleComesBack(Duration atMost) throws InterruptedException {
        CompletableFuture<Void> back = ControlledFuture.incomplete();
        waiting = back;
        try {
            if (!actor.becomeIdle()) {
                return true;
            }
            boolean came = false;
            try {
                came = Closing.await(back, atMost);
            } finally {
                if (!came && !actor.becomeConsumer()) {
                    back.join(); // a sender or a stopper holds the role and is transferring it back
                }
            }
            return came;
        } finally {
            waiting = null;
        }
    }

    /** The message in hand before a message that has been removed. Consumer only. */
    static Envelope beforeTaken(Envelope taken, Envelope first) {
        Envelope e = first;
        while (e.next != taken.next) {
            e = Objects.requireNonNull(e.next);
        }
        return e;
    }
}
