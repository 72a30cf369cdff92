package io.fibry;

import io.fibry.dispatch.Durations;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How a behavior waits for a message that is not its next one.
 *
 * <p>The messages that do not fit stay in hand, in order, behind the one at work. To be woken by the next sender, the one that waits
 * gives up the consumer's role, as a turn does that has found nothing more; but says before that it wants to have it back. The
 * sender that ends the idle state passes the role on, and finds the one who waits. When the time is over, the one who waits takes
 * the role back itself; if a sender was faster, the role is on its way, and it waits for that. So exactly one of the two
 * happens, and the role is never lost.
 */
final class SelectiveReceive {

    private final ActorState<?> actor;

    /** Set while somebody waits, and completed by the one who passes the consumer's role back. */
    private volatile @Nullable CompletableFuture<Void> waiting;

    SelectiveReceive(ActorState<?> actor) {
        this.actor = actor;
    }

    /** Passes the consumer's role to the one who waits; false if nobody does. */
    boolean passRole() {
        CompletableFuture<Void> w = waiting;
        return w != null && w.complete(null);
    }

    /** The first plain message behind the one at work that fits, or null if none has come in time. Consumer only. */
    @Nullable
    Envelope take(Envelope atWork, Predicate<Envelope> wanted, Duration timeout) throws InterruptedException {
        long end = Durations.deadline(timeout);
        WaitingRoom room = actor.room();
        Envelope last = atWork; // the last one that does not fit
        while (true) {
            boolean nothingMore = actor.isClosed(); // before the look
            do {
                for (Envelope e = last.next; e != null; e = e.next) {
                    if (wanted.test(e)) {
                        actor.removeAfter(last);
                        return e;
                    }
                    last = e;
                }
            } while (actor.takeMore(last) != null);
            Envelope found = room == null ? null : room.poll(wanted);
            if (found != null) {
                return found;
            }
            long left = end - System.nanoTime();
            if (nothingMore || left <= 0 || !roleComesBack(Duration.ofNanos(left))) {
                return null;
            }
        }
    }

    /** Waits without the consumer's role, until something has come; false if the time is over first. */
    private boolean roleComesBack(Duration atMost) throws InterruptedException {
        var back = new CompletableFuture<Void>();
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
                    back.join(); // a sender, or one who stops the actor, is passing the role on
                }
            }
            return came;
        } finally {
            waiting = null;
        }
    }
}
