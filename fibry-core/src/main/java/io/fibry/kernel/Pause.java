package io.fibry.kernel;

import io.fibry.dispatch.ActorLock;
import io.fibry.dispatch.Alarm;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The pause of an actor: it handles no messages until the backoff of a restart is over, or until its supervisor has
 * decided. The mailbox still accepts messages.
 *
 * <p>Invariant: while an actor is paused, no thread holds its consumer's role. The thread that ends the pause acquires
 * the role, and has to make the actor ready. The state changes under the lock of the lifecycle, so exactly one thread
 * ends a pause. A requested pause begins when the current turn or the next one checks for it, at the latest after a
 * batch. The supervisor sends a wake-up with its request, which guarantees such a turn.
 *
 * <p>There are two kinds of pause. The backoff of the actor's own policy ends with its alarm. A pause for the
 * supervisor ends when the supervisor claims the role to restart the actor. The supervisor's request replaces that of
 * an alarm, which then has no effect. A stop ends either kind, unless the role is claimed; the stop then takes effect
 * right after the claim.
 */
final class Pause {

    private enum State {
        NONE,
        WANTED,
        /** No thread holds the consumer's role. */
        PAUSED,
        /** The supervisor holds the consumer's role. */
        CLAIMED
    }

    private final ActorLock lock;
    private volatile State state = State.NONE; // written under the lock
    private volatile boolean restartDue;

    /** The wait for the supervisor, for {@link WaitGraph}; null if an alarm ends the pause. Written under the lock. */
    private volatile WaitGraph.@Nullable Edge held;

    private @Nullable Alarm alarm; // guarded by the lock, as are the next two
    private @Nullable CompletableFuture<Void> awaited;
    private @Nullable Throwable undecided;

    /** The times of the restarts. Created on first use, by the holder of the consumer's role. */
    private @Nullable RestartHistory history;

    Pause(ActorLock lock) {
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

    /** Whether the supervisor holds the consumer's role, to restart the actor. */
    boolean isClaimed() {
        return state == State.CLAIMED;
    }

    /** Whether a turn has to handle a pause or a restart before messages. */
    boolean concernsTurn() {
        return state == State.WANTED || restartDue;
    }

    /**
     * Requests a pause that an alarm ends, by {@link #release(Alarm)}. Returns false if a pause is already requested or
     * in effect. An alarm that is no longer needed is cancelled.
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

    /** Requests a pause for the supervisor. The future completes when the pause has begun, or can no longer begin. */
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

    /** Requests a pause because of a failure that the supervisor has to decide. */
    void want(Throwable failure) {
        lock.lock();
        try {
            state = State.WANTED;
            undecided = failure;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Begins the pause. Called under the lock by the consumer, whose turn ends.
     *
     * @param forSupervisor the wait for the supervisor; null if there is none
     */
    void pause(WaitGraph.@Nullable Edge forSupervisor) {
        held = alarm == null ? forSupervisor : null;
        state = State.PAUSED;
        notifyWaiters();
    }

    /**
     * Acquires the consumer's role of a paused actor, until {@link #endClaim} or {@link #pauseAgain}. Returns false if
     * the actor is no longer paused.
     */
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

    /** Ends the pause. Called by the claimant before it transfers the consumer's role. */
    void endClaim() {
        lock.lock();
        try {
            none();
        } finally {
            lock.unlock();
        }
    }

    /** Releases the claimant's role because of this failure. The actor stays paused. */
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
     * Ends the pause of this alarm, or the request for it.
     *
     * @return whether the caller now holds the consumer's role
     */
    boolean release(Alarm ofAlarm) {
        lock.lock();
        try {
            return alarm == ofAlarm && release();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the pause or the request for one, unless the role is claimed.
     *
     * @return whether the caller now holds the consumer's role
     */
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

    /** The wait for the supervisor; null if there is none. */
    WaitGraph.@Nullable Edge heldWait() {
        return held;
    }

    private void none() {
        held = null;
        state = State.NONE;
        cancelAlarm();
        undecided = null;
        notifyWaiters();
    }

    private void cancelAlarm() {
        Alarm pending = alarm;
        if (pending != null) {
            alarm = null;
            pending.cancel(); // otherwise the timer would keep the actor reachable until the alarm
        }
    }

    private void notifyWaiters() {
        CompletableFuture<Void> waiting = awaited;
        if (waiting != null) {
            awaited = null;
            waiting.complete(null);
        }
    }

    /** The failure that the supervisor has not decided yet, or null. */
    @Nullable
    Throwable undecided() {
        lock.lock();
        try {
            return undecided;
        } finally {
            lock.unlock();
        }
    }

    /** The reason for the pause, as text for users; null if the actor does not pause. */
    @Nullable
    String reason() {
        lock.lock();
        try {
            Alarm pending = alarm;
            if (state == State.NONE) {
                return null;
            } else if (pending != null) {
                return "it will be restarted in " + pending.remaining();
            } else if (undecided != null) {
                return "it has failed, and waits for the decision of its supervisor";
            }
            return "its supervisor restarts it";
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
