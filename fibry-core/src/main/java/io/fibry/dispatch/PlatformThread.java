package io.fibry.dispatch;

import java.util.concurrent.locks.LockSupport;

/**
 * The task of a platform thread that belongs to one actor. {@code ready} transfers the consumer's role to it.
 *
 * <p>No wake-up is lost: {@link #ready()} sets the flag before it unparks the thread, and the thread reads the flag
 * before it parks. An unpark between that read and the park makes the park return at once.
 */
final class PlatformThread extends ActorThread implements Runnable {

    private final DispatchListener listener;
    private final ScheduledActor actor;
    private final Thread thread;
    private volatile boolean ready;

    /** Whether the thread has been started. Accessed only by the thread that makes the actor. */
    private boolean started;

    /** Whether this thread holds the consumer's role. A field, so that an error does not lose the role. */
    private boolean hasTurn;

    PlatformThread(DispatchListener listener, ScheduledActor actor, Thread.Builder.OfPlatform builder) {
        this.listener = listener;
        this.actor = actor;
        thread = builder.unstarted(this);
    }

    @Override
    public ScheduledActor owner() {
        return actor;
    }

    void start() {
        thread.start();
        started = true;
    }

    /**
     * Called if the actor has ended without a turn, by the thread that has called {@link #start}, even if that call
     * failed.
     */
    void abandon() {
        if (started) {
            LockSupport.unpark(thread); // it sees the actor's end, and ends
        } else {
            listener.runnerGone(this);
        }
    }

    void ready() {
        ready = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        boolean adopted = false;
        while (!actor.hasEnded()) {
            try {
                if (!adopted) {
                    adoptCurrentThread();
                    LogContext.clear(); // some loggers inherit it to new threads
                    adopted = true;
                }
                runTurns();
            } catch (Throwable t) { // an error of the kernel itself, usually an OutOfMemoryError
                OutOfMemory.pause();
            }
        }
        listener.runnerGone(this);
    }

    private void runTurns() {
        if (ready) {
            ready = false; // before the turn: the actor may become ready again as soon as it is idle
            hasTurn = true;
        }
        while (hasTurn) {
            hasTurn = actor.runTurn(this, null);
        }
        listener.turnsEnded();
        if (!ready && !actor.hasEnded()) {
            LockSupport.park(actor);
            Thread.interrupted(); // belongs to no message, and would prevent the next park
        }
    }
}
