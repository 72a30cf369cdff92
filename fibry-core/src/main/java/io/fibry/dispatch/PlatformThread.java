package io.fibry.dispatch;

import java.util.concurrent.locks.LockSupport;

/**
 * The work of a platform thread that belongs to one actor. The role of the mailbox's consumer comes by way of {@code ready},
 * which is set before the thread is unparked, and looked at before it parks.
 */
final class PlatformThread extends Runner implements Runnable {

    private final DispatchListener listener;
    private final Schedulable actor;
    private final Thread thread;
    private volatile boolean ready;

    PlatformThread(DispatchListener listener, Schedulable actor, Thread.Builder.OfPlatform builder) {
        this.listener = listener;
        this.actor = actor;
        thread = builder.unstarted(this);
    }

    void start() {
        thread.start();
    }

    void ready() {
        ready = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        adoptCurrentThread();
        while (!actor.hasEnded()) {
            if (ready) {
                ready = false; // before the turn: the actor may get ready again as soon as it is idle
                boolean more;
                do {
                    more = actor.runTurn(this, null);
                } while (more);
                listener.turnsEnded();
            } else {
                LockSupport.park(actor);
                Thread.interrupted(); // not for any message, and it would keep the thread from parking
            }
        }
        listener.runnerGone(this);
    }
}
