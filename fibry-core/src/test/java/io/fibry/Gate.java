package io.fibry;

import java.util.concurrent.CountDownLatch;

/** The place where a handler waits until the test releases it, or an interrupt ends the wait. */
final class Gate {

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);
    private volatile boolean interrupted;

    /** Called by the handler. */
    void pass() {
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

    void awaitReached() {
        Await.latch(reached);
    }

    void open() {
        opened.countDown();
    }

    boolean wasInterrupted() {
        return interrupted;
    }
}
