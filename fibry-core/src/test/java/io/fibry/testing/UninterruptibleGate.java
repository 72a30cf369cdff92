package io.fibry.testing;

import java.util.concurrent.CountDownLatch;

/** The place where a handler waits until the test releases it. Interrupts do not end the wait. */
public final class UninterruptibleGate {

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);

    /** Called by the handler. */
    public void pass() {
        reached.countDown();
        boolean open = false;
        while (!open) {
            try {
                opened.await();
                open = true;
            } catch (InterruptedException e) {
                open = false; // ignores the interrupt
            }
        }
    }

    public void awaitReached() {
        Await.latch(reached);
    }

    public void open() {
        opened.countDown();
    }
}
