package io.fibry;

import java.util.concurrent.CountDownLatch;

/** Where a handler waits until the test lets it go on, whoever interrupts it. */
final class Deaf {

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);

    /** Called by the handler. */
    void standHere() {
        reached.countDown();
        boolean open = false;
        while (!open) {
            try {
                opened.await();
                open = true;
            } catch (InterruptedException e) {
                open = false; // it does not listen
            }
        }
    }

    void awaitReached() {
        Await.latch(reached);
    }

    void open() {
        opened.countDown();
    }
}
