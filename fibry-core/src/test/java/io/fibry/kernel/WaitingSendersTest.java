package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.Overflow;
import io.fibry.ThreadStrategy;
import io.fibry.dispatch.Alarm;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/**
 * Threads that wait for room are woken although the consumer does not signal after each message.
 *
 * <p>Seen to fail: without the alarm; an alarm that gives up if it finds the lock taken.
 */
class WaitingSendersTest extends KernelTest {

    private static final int CAPACITY = 8;

    private final ReentrantLock lock = new ReentrantLock();
    private final WaitingSenders senders = new WaitingSenders(lock, CAPACITY);

    private CountDownLatch wait(int threads) {
        var woken = new CountDownLatch(threads);
        var waiting = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            Thread.startVirtualThread(() -> {
                lock.lock();
                try {
                    waiting.countDown(); // the wait releases the lock
                    senders.await();
                    woken.countDown();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                } finally {
                    lock.unlock();
                }
            });
        }
        Await.latch(waiting);
        return woken;
    }

    private void takeTwo() {
        lock.lock();
        try {
            senders.messageTaken(CAPACITY - 1);
            senders.messageTaken(CAPACITY - 2);
        } finally {
            lock.unlock();
        }
    }

    /** The second message is taken so soon after the first that it wakes nobody. */
    @Test
    void eachFreePlaceWakesAThread() {
        for (int i = 0; i < 100; i++) {
            CountDownLatch woken = wait(2);
            takeTwo();
            Await.latch(woken);
        }
    }

    @Test
    void theAlarmComesAgainIfTheLockIsTaken() {
        CountDownLatch woken = wait(2);
        var due = new CountDownLatch(1);
        lock.lock();
        try {
            takeTwo();
            new Alarm().start(5_000_000, due::countDown); // later than that of the senders
            Await.latch(due);
        } finally {
            lock.unlock();
        }
        Await.latch(woken);
    }

    /** Otherwise the handler would wait for a sender that waits for room, although there is room. */
    @AllStrategies
    void aHandlerMayWaitForASender(ThreadStrategy strategy) {
        for (int i = 0; i < 50; i++) {
            var full = new CountDownLatch(1);
            var sent = new CountDownLatch(2);
            Actor<Integer> actor = actor(strategy)
                    .bounded(CAPACITY, Overflow.BLOCK)
                    .newActor((Integer n) -> {
                        if (n == 0) {
                            Await.latch(full);
                        } else if (n == 2) {
                            Await.latch(sent);
                        }
                    });
            actor.tell(0);
            Await.until("message 0 is being handled", () -> actor.mailboxSize().orElse(-1) == 0);
            for (int n = 1; n <= CAPACITY; n++) {
                actor.tell(n);
            }
            for (int n = 0; n < 2; n++) {
                Await.untilBlocked(Thread.startVirtualThread(() -> {
                    actor.tell(100);
                    sent.countDown();
                }));
            }
            full.countDown();
            Await.latch(sent);
            actor.stop();
        }
    }
}
