package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.Overflow;
import io.fibry.ThreadStrategy;
import io.fibry.dispatch.Alarm;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Threads that wait for room are woken although the consumer does not signal after each message.
 *
 * <p>Seen to fail: without the alarm; a place that is freed without a signal; an alarm that gives up if it finds
 * the lock taken.
 */
class WaitingSendersTest extends KernelTest {

    private static final int CAPACITY = 8;

    private final Room room = new Room(CAPACITY);

    @BeforeEach
    void fill() {
        assertTrue(room.enter(CAPACITY));
    }

    /** Starts threads that wait for a place, and take it. */
    private CountDownLatch wait(int threads) {
        var woken = new CountDownLatch(threads);
        var waiting = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            Thread.startVirtualThread(() -> {
                room.lock.lock();
                try {
                    room.awaitWhile(room::isFull, new Begins(waiting));
                    assertTrue(room.enter(1));
                    woken.countDown();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                } finally {
                    room.lock.unlock();
                }
            });
        }
        Await.latch(waiting);
        return woken;
    }

    /** Counts a thread that begins to wait; it releases the lock when it waits. */
    record Begins(CountDownLatch waiting) implements Room.Waiter {
        @Override
        public void begins() {
            waiting.countDown();
        }

        @Override
        public void ends() {}
    }

    private void takeTwo() {
        room.lock.lock(); // until both threads wait
        try {
            room.leave();
            room.leave();
        } finally {
            room.lock.unlock();
        }
    }

    /** The mailbox is still more than half full, so the consumer wakes nobody. */
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
        room.lock.lock();
        try {
            takeTwo();
            new Alarm().start(5_000_000, due::countDown); // later than that of the senders
            Await.latch(due);
        } finally {
            room.lock.unlock();
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
