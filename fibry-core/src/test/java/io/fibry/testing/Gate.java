package io.fibry.testing;

import io.fibry.ActorInterruptedException;
import java.util.concurrent.CountDownLatch;

/** The place where a handler waits until the test releases it, or an interrupt ends the wait. */
public final class Gate {

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);
    private volatile boolean interrupted;

    /** Called by the handler. */
    public void pass() {
        reached.countDown();
        try {
            opened.await();
            if (Thread.interrupted()) { // the interrupt came before the wait began
                throw new InterruptedException("interrupted, and let go on afterwards");
            }
        } catch (InterruptedException e) {
            interrupted = true;
            throw new ActorInterruptedException("interrupted at the gate", e);
        }
    }

    public void awaitReached() {
        Await.latch(reached);
    }

    public void open() {
        opened.countDown();
    }

    public boolean wasInterrupted() {
        return interrupted;
    }
}
