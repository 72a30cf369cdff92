package io.fibry.helidon;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A step that another thread can interrupt, such as a write, and only the step: the interrupt never reaches the next
 * action of the thread. The thread is set and reset under the lock under which it is interrupted. When it is reset, no
 * interrupt can follow, and one that has come is cleared.
 */
@SuppressWarnings("serial") // inherited by the lock, and useless
final class InterruptibleStep extends ReentrantLock {

    interface Step<E extends Exception> {
        void run() throws E;
    }

    private @Nullable Thread running; // guarded by the lock, as is the next
    private boolean interrupted;
    private volatile long since; // 0 if the step does not run

    <E extends Exception> void run(Step<E> step) throws E {
        since = System.nanoTime() | 1; // never 0
        set(Thread.currentThread());
        try {
            step.run();
        } finally {
            set(null);
            since = 0;
        }
    }

    private void set(@Nullable Thread thread) {
        lock();
        try {
            running = thread;
            if (interrupted) {
                Thread.interrupted();
                interrupted = false;
            }
        } finally {
            unlock();
        }
    }

    void interrupt() {
        lock();
        try {
            Thread thread = running;
            if (thread != null) {
                interrupted = true;
                thread.interrupt();
            }
        } finally {
            unlock();
        }
    }

    /** How long the step has taken, in nanoseconds. */
    long takes(long now) {
        long began = since;
        return began == 0 ? 0 : now - began;
    }
}
