package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.UninterruptibleGate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Actors close their own system from inside.
 *
 * <p>Seen to fail: a thread for each call; later calls that change nothing (a short deadline after a long one); later
 * calls that replace the deadline (a long one after a short one); a second thread that is not woken at the end of the
 * close.
 */
class CloseFromInsideTest extends KernelTest {

    private static final Duration LONG = Duration.ofDays(1);
    private static final int CALLERS = 200;

    private final ActorSystem own = ActorSystem.create();

    /** A test does not always wait for the end of the threads, and the next one counts them. */
    @BeforeEach
    void awaitTheThreadsOfTheTestBefore() {
        Await.until("the threads of the test before end", () -> closers().isEmpty());
    }

    private static List<Thread> closers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("fibry-close"))
                .toList();
    }

    private void closeFromInside(Duration... deadlines) {
        var called = new CountDownLatch(1);
        own.actor().newSink(null).execute(() -> {
            for (Duration deadline : deadlines) {
                assertFalse(own.close(deadline));
            }
            called.countDown();
        });
        Await.latch(called);
    }

    @Test
    void oneThreadPerformsAllCloses() {
        var called = new CountDownLatch(CALLERS);
        var open = new CountDownLatch(1);
        for (int i = 0; i < CALLERS; i++) {
            own.actor().newSink(null).execute(() -> {
                own.close(LONG);
                called.countDown();
                Await.latch(open);
            });
        }
        Await.latch(called);
        assertEquals(1, closers().size());
        open.countDown();
        Await.until("the thread ends", () -> closers().isEmpty());
        assertTrue(own.close(Duration.ZERO));
    }

    @AllStrategies
    void theShortestDeadlineHolds(ThreadStrategy strategy) {
        var gate = new Gate();
        Actor<Gate> busy = own.actor().strategy(strategy).newActor(Gate::pass);
        busy.tell(gate);
        gate.awaitReached();
        closeFromInside(LONG, LONG.minusHours(1));
        assertEquals(2, closers().size());
        closeFromInside(Duration.ZERO);
        Await.end(busy);
        assertTrue(gate.wasInterrupted());
        Await.until("the threads end", () -> closers().isEmpty());
    }

    @AllStrategies
    void aLongerDeadlineDoesNotReplaceAShorterOne(ThreadStrategy strategy) {
        var gate = new Gate();
        Actor<Gate> busy = own.actor().strategy(strategy).newActor(Gate::pass);
        busy.tell(gate);
        gate.awaitReached();
        closeFromInside(LONG, Duration.ofMillis(100), LONG);
        Await.end(busy);
        assertTrue(gate.wasInterrupted());
    }

    @Test
    void theSecondThreadEndsWithTheClose() {
        var gate = new Gate();
        Actor<Gate> busy = own.actor().newActor(Gate::pass);
        busy.tell(gate);
        gate.awaitReached();
        closeFromInside(LONG, LONG.minusHours(1));
        gate.open();
        Await.until("the threads end", () -> closers().isEmpty());
        assertFalse(gate.wasInterrupted());
        assertTrue(own.close(Duration.ZERO));
    }

    @AllStrategies
    void aCallAfterTheCloseWasGivenUpInterruptsAgain(ThreadStrategy strategy) {
        var uninterruptible = new UninterruptibleGate();
        var gate = new Gate();
        Actor<Integer> busy = own.actor().strategy(strategy).newActor((Integer n) -> {
            uninterruptible.pass();
            own.close(Duration.ZERO);
            gate.pass();
        });
        busy.tell(1);
        uninterruptible.awaitReached();
        assertFalse(own.close(Duration.ZERO));
        uninterruptible.open();
        Await.end(busy);
        assertTrue(gate.wasInterrupted());
    }

    /** The caller and the thread that closes the system race: the caller discards at once. */
    @Test
    void aCloseFromAnActorOfAnotherSystemCompletes() {
        for (int i = 0; i < CALLERS; i++) {
            var other = ActorSystem.create();
            var called = new CountDownLatch(1);
            own.actor().newSink(null).execute(() -> {
                other.close(Duration.ZERO);
                called.countDown();
            });
            Await.latch(called);
            assertTrue(other.close(Await.LIMIT));
        }
    }
}
