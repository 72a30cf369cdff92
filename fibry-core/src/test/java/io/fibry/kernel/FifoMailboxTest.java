package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Overflow;
import io.fibry.dispatch.ScheduledActor;
import io.fibry.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The messages that the consumer of a {@link FifoMailbox} has in its list, and the messages behind them on the stack.
 *
 * <p>Seen to fail: a place that is freed without a signal; a close that drops the stack; asks that are taken
 * without the lock; a reader that does not start again.
 */
class FifoMailboxTest {

    private final BoundedMailbox mailbox = new FifoMailbox(new MailboxSpec(4, Overflow.FAIL, null));

    private BoundedMailbox.Outcome add(int message) {
        return mailbox.tryAdd(new Envelope(message, null));
    }

    private @Nullable Object take() {
        Envelope next = mailbox.poll();
        return next == null ? null : next.message;
    }

    private List<Object> waiting() {
        var all = new ArrayList<Object>();
        mailbox.forEach(envelope -> all.add(envelope.message));
        return all;
    }

    /** Takes the first of four messages. */
    private void drain() {
        for (int i = 0; i < 4; i++) {
            add(i);
        }
        assertEquals(0, take());
    }

    @Test
    void theyCountAsWaiting() {
        drain();
        assertEquals(3, mailbox.size());
        assertEquals(List.of(1, 2, 3), waiting());
        add(4);
        assertEquals(BoundedMailbox.Outcome.FULL, add(5));
        assertEquals(1, take());
        assertEquals(List.of(2, 3, 4), waiting());
        add(5);
        assertEquals(BoundedMailbox.Outcome.FULL, add(6));
        for (int i = 2; i <= 5; i++) {
            assertEquals(i, take());
        }
        assertEquals(0, mailbox.size());
        assertNull(take());
        assertEquals(BoundedMailbox.Outcome.ACCEPTED_WAKE, add(6));
    }

    @Test
    void aHoldLeavesThemToOtherThreadsInOrder() {
        drain();
        add(4);
        mailbox.hold();
        assertNull(take());
        assertEquals(1, mailbox.takeHeld());
        assertEquals(2, mailbox.takeHeld());
        assertTrue(mailbox.release());
        assertEquals(3, take());
        assertEquals(4, take());
    }

    @Test
    void aSearchFindsThem() {
        drain();
        add(4);
        Envelope found = mailbox.poll(envelope -> envelope.message.equals(3));
        assertNotNull(found);
        assertNull(found.next);
        assertEquals(List.of(1, 2, 4), waiting());
        assertEquals(1, take());
    }

    /** Their consumer may poll no more for long. */
    @Test
    void takingOneCompletesAFuture() {
        drain();
        add(4);
        CompletableFuture<@Nullable Void> room = mailbox.awaitRoom();
        assertNotNull(room);
        assertFalse(room.isDone());
        assertEquals(1, take());
        assertTrue(room.isDone());
    }

    @Test
    void takingOneWakesASender() {
        drain();
        add(4);
        var waits = new CountDownLatch(1);
        var outcome = new CompletableFuture<BoundedMailbox.Outcome>();
        Thread.startVirtualThread(() -> {
            try {
                outcome.complete(mailbox.addOrWait(new Envelope(5, null), new WaitingSendersTest.Begins(waits)));
            } catch (InterruptedException e) {
                outcome.completeExceptionally(e);
            }
        });
        Await.latch(waits);
        assertEquals(List.of(1, 2, 3, 4), waiting()); // acquires the lock, so the thread waits
        assertEquals(1, take());
        assertEquals(BoundedMailbox.Outcome.ACCEPTED, Await.value(outcome));
    }

    @Test
    void aCloseKeepsThem() {
        drain();
        add(4);
        mailbox.close();
        assertEquals(BoundedMailbox.Outcome.CLOSED, add(5));
        assertEquals(List.of(1, 2, 3, 4), waiting());
        for (int i = 1; i <= 4; i++) {
            assertEquals(i, take());
        }
        assertNull(take());
        assertEquals(0, mailbox.size());
    }

    /** Otherwise a stop could fail an ask that is being handled. */
    @Test
    void noAskIsTakenWhileAnotherThreadReads() {
        add(0);
        var ask = new Envelope(1, new Reply<>((ScheduledActor) null));
        mailbox.tryAdd(ask);
        assertEquals(0, take());
        var taken = new CompletableFuture<@Nullable Envelope>();
        mailbox.forEach(waiting -> {
            Await.untilBlocked(Thread.startVirtualThread(() -> taken.complete(mailbox.poll())));
            assertFalse(taken.isDone());
        });
        assertEquals(ask, Await.value(taken));
    }

    /** Each reader sees every ask that the consumer has not taken, while the consumer takes messages. */
    @Test
    void readersSeeEveryWaitingAsk() {
        int messages = 2_000;
        for (int round = 0; round < 20; round++) {
            BoundedMailbox large = new FifoMailbox(new MailboxSpec(messages, Overflow.FAIL, null));
            for (int i = 0; i < messages; i++) { // every tenth is an ask
                Reply<?> reply = i % 10 == 9 ? new Reply<>((ScheduledActor) null) : null;
                large.tryAdd(new Envelope(i, reply));
            }
            var taken = new AtomicInteger();
            Thread consumer = Thread.ofPlatform().start(() -> {
                for (Envelope e = large.poll(); e != null; e = large.poll()) {
                    taken.setRelease((int) e.message + 1);
                }
            });
            while (taken.get() < messages) {
                var seen = new HashSet<Object>();
                large.forEach(envelope -> seen.add(envelope.message));
                for (int i = taken.get() + 1; i < messages; i++) { // the one before may have been taken, too
                    assertTrue(i % 10 != 9 || seen.contains(i), "the ask " + i + " is missing");
                }
            }
            assertTimeout(Duration.ofMinutes(1), () -> consumer.join());
        }
    }
}
