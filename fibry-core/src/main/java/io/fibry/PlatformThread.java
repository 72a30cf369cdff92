package io.fibry;

import java.util.concurrent.locks.LockSupport;

/**
 * The work of a platform thread that belongs to one actor. The role of the mailbox's consumer comes by way of {@code ready},
 * which is set before the thread is unparked, and looked at before it parks.
 */
final class PlatformThread extends Runner implements Runnable, Thread.UncaughtExceptionHandler {

    private final ActorCell<?> actor;
    private volatile boolean ready;

    PlatformThread(ActorCell<?> actor) {
        this.actor = actor;
    }

    /** Whether the calling thread is one of that system's. */
    static boolean isCurrent(LocalSystem system) {
        return Thread.currentThread().getUncaughtExceptionHandler() instanceof PlatformThread own
                && own.actor.system() == system;
    }

    void ready() {
        ready = true;
        LockSupport.unpark(thread());
    }

    @Override
    public void run() {
        Thread.currentThread().setUncaughtExceptionHandler(this); // this is how a thread finds its runner
        while (!actor.hasEnded()) {
            if (ready) {
                ready = false; // before the turn: the actor may get ready again as soon as it is idle
                boolean more;
                do {
                    more = actor.runTurn(this);
                } while (more);
            } else {
                LockSupport.park(actor);
                Thread.interrupted(); // not for any message, and it would keep the thread from parking
            }
        }
    }

    /** Cannot happen, since a turn catches what behaviors throw; if it does, the program is told as of any other thread. */
    @Override
    public void uncaughtException(Thread thread, Throwable t) {
        thread.getThreadGroup().uncaughtException(thread, t);
    }
}
