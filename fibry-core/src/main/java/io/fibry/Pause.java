package io.fibry;

import io.fibry.dispatch.Alarm;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an actor from its messages for a while: until the backoff of a restart is over, or until its supervisor has decided. The mailbox
 * goes on taking messages.
 *
 * <p>The idea: nobody has the consumer's role of an actor that is paused. Whoever ends the pause gets it, and with it the
 * duty to make the actor ready. That is one alone, since the state changes under the lock of the lifecycle. A
 * pause that is wanted begins when the turn that is under way, or the next one, looks here, at the latest after a batch; who
 * wants it sends a wake-up, so there is such a turn.
 *
 * <p>A pause is of one of two kinds. One is ended by its alarm: the backoff of the actor's own policy. The other is ended by the
 * supervisor, which claims the role to restart the actor; the supervisor's wish comes before an alarm's, which then ends
 * nothing any more. A stop ends either, unless the role has been claimed: then the stop takes effect right after.
 */
final class Pause {

    private enum State {
        NONE,
        WANTED,
        /** Nobody has the consumer's role. */
        PAUSED,
        /** The supervisor has the consumer's role. */
        CLAIMED
    }

    private final ReentrantLock lock;
    private volatile State state = State.NONE; // written under the lock
    private volatile boolean restartDue;

    private @Nullable Alarm alarm; // guarded by the lock, as are the next ones
    private @Nullable CompletableFuture<Void> awaited;
    private @Nullable Throwable undecided;

    /** When the actor was restarted. By the one who has the consumer's role. */
    private @Nullable RestartHistory history;

    Pause(ReentrantLock lock) {
        this.lock = lock;
    }

    boolean isWanted() {
        return state == State.WANTED;
    }

    boolean isPausedOrWanted() {
        return state != State.NONE;
    }

    boolean isPaused() {
        return state == State.PAUSED;
    }

    /** Whether a turn has to see to this before it handles messages. */
    boolean concernsTurn() {
        return state == State.WANTED || restartDue;
    }

    /**
     * Asks for a pause that an alarm will end, by {@link #release(Alarm)}; false if there will be another pause anyway.
     * An alarm that is not needed any more is cancelled.
     */
    boolean wantUntil(Alarm itsAlarm) {
        lock.lock();
        try {
            if (state != State.NONE) {
                return false;
            }
            state = State.WANTED;
            alarm = itsAlarm;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** For the supervisor: the future completes when the pause has begun, or when it is clear that it will not. */
    CompletableFuture<Void> want() {
        lock.lock();
        try {
            cancelAlarm();
            if (state == State.PAUSED) {
                return CompletableFuture.completedFuture(null);
            }
            state = State.WANTED;
            if (awaited == null) {
                awaited = new CompletableFuture<>();
            }
            return awaited;
        } finally {
            lock.unlock();
        }
    }

    /** Asks for a pause because of a failure about which the supervisor has to decide. */
    void want(Throwable failure) {
        lock.lock();
        try {
            state = State.WANTED;
            undecided = failure;
        } finally {
            lock.unlock();
        }
    }

    /** By the consumer, who gives up its thread. Under the lock. */
    void pause() {
        state = State.PAUSED;
        tellThoseWhoWait();
    }

    /** Takes the consumer's role of a paused actor, until {@link #endClaim} or {@link #pauseAgain}; false if the pause is over. */
    boolean claim() {
        lock.lock();
        try {
            if (state != State.PAUSED) {
                return false;
            }
            state = State.CLAIMED;
            undecided = null;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The one who has claimed the role is about to pass it on. */
    void endClaim() {
        lock.lock();
        try {
            none();
        } finally {
            lock.unlock();
        }
    }

    /** The one who has claimed the role gives it up again, because of this failure. */
    void pauseAgain(Throwable failure) {
        lock.lock();
        try {
            state = State.PAUSED;
            undecided = failure;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the pause of that alarm, or the wish for it.
     *
     * @return whether the caller now has the consumer's role
     */
    boolean release(Alarm ofAlarm) {
        lock.lock();
        try {
            return alarm == ofAlarm && release();
        } finally {
            lock.unlock();
        }
    }

    /** Ends whatever pause there is, or the wish for one, unless somebody has claimed the role; the result as above. */
    boolean release() {
        lock.lock();
        try {
            boolean role = state == State.PAUSED;
            if (state != State.CLAIMED) {
                none();
            }
            return role;
        } finally {
            lock.unlock();
        }
    }

    private void none() {
        state = State.NONE;
        cancelAlarm();
        undecided = null;
        tellThoseWhoWait();
    }

    private void cancelAlarm() {
        Alarm pending = alarm;
        if (pending != null) {
            alarm = null;
            pending.cancel(); // or the clock would keep the actor until then
        }
    }

    private void tellThoseWhoWait() {
        CompletableFuture<Void> waiting = awaited;
        if (waiting != null) {
            awaited = null;
            waiting.complete(null);
        }
    }

    /** The failure about which nobody has decided yet. */
    @Nullable
    Throwable undecided() {
        lock.lock();
        try {
            return undecided;
        } finally {
            lock.unlock();
        }
    }

    boolean isRestartDue() {
        return restartDue;
    }

    void restartDue(boolean due) {
        restartDue = due;
    }

    RestartHistory history() {
        RestartHistory h = history;
        if (h == null) {
            h = new RestartHistory();
            history = h;
        }
        return h;
    }
}
