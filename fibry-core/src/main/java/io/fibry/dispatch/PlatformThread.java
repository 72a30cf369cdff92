package io.fibry.dispatch;

import java.util.concurrent.locks.LockSupport;

/**
 * The task of a platform thread that belongs to one actor. The consumer's role is passed by {@code ready}.
 *
 * <p>No wake-up is lost: {@link #ready()} sets the flag before it unparks the thread, and the thread reads the flag before it
 * parks. An unpark between that read and the park makes the park return at once.
 */
final class PlatformThread extends Runner implements Runnable {

    private final DispatchListener listener;
    private final Schedulable actor;
    private final Thread thread;
    private volatile boolean ready;

    /** Whether the thread has been started. Read and written by the thread that makes the actor. */
    private boolean started;

    /** Whether the consumer's role is here. A field, so that an error does not lose it. */
    private boolean hasTurn;

    PlatformThread(DispatchListener listener, Schedulable actor, Thread.Builder.OfPlatform builder) {
        this.listener = listener;
        this.actor = actor;
        thread = builder.unstarted(this);
    }

    @Override
    public Schedulable owner() {
        return actor;
    }

    void start() {
        thread.start();
        started = true;
    }

    /** The actor has ended without a turn. Called by the thread that has called {@link #start}, also if that has failed. */
    void abandon() {
        if (started) {
            LockSupport.unpark(thread); // it sees the end, and ends
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
        adoptCurrentThread();
        LogContext.clear(); // some logs pass it on to new threads
        while (!actor.hasEnded()) {
            try {
                runTurns();
            } catch (Throwable t) { // an error of the kernel itself, mostly an OutOfMemoryError
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
            Thread.interrupted(); // meant for no message, and would prevent the next park
        }
    }
}
