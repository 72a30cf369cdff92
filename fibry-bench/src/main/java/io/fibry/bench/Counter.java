package io.fibry.bench;

import io.fibry.bench.peers.Receiver;
import java.util.concurrent.Semaphore;

/** A behavior that counts its messages in plain state, and signals when it has received all of them. */
final class Counter implements Receiver {

    private final Semaphore done;
    private int expected;
    private int count;

    Counter(Semaphore done) {
        this.done = done;
    }

    /** Called before the messages are sent. */
    void expect(int messages) {
        verify();
        expected = messages;
    }

    /** Checks, after all messages have been handled, that no message was handled twice. */
    void verify() {
        PeerBenchmark.check(0, count);
    }

    @Override
    public void accept(Object message) {
        if (++count == expected) {
            count = 0;
            done.release();
        }
    }
}
