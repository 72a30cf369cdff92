package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.Overflow;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The age of the oldest message, measured with a clock of the test.
 *
 * <p>Seen to fail: with one mark for each actor, which forgets a backlog as soon as its oldest message is handled; with
 * a mark that moves to the newest message in each snapshot; and with a mark of the oldest message after a stop.
 */
class MessageAgesTest extends KernelTest {

    private long now = 1_000;
    private final MessageAges ages = new MessageAges(() -> now);
    private final Semaphore turns = new Semaphore(0);

    private long age(Actor<?> actor) {
        var state = (ActorState<?>) Handles.unwrapped(actor);
        return ages.look(Set.of(state)).getOrDefault(state, -1L);
    }

    private void handle(Actor<?> actor, int messages) {
        var state = (ActorState<?>) Handles.unwrapped(actor);
        long wanted = state.progress().waiting() - messages;
        turns.release(messages);
        Await.until(wanted + " wait", () -> state.progress().waiting() == wanted);
    }

    private Actor<Integer> slow(ActorBuilder<Object> builder) {
        var started = new CountDownLatch(1);
        Actor<Integer> actor = builder.newActor(n -> {
            started.countDown();
            turns.acquireUninterruptibly();
        });
        actor.tell(0);
        Await.latch(started);
        return actor;
    }

    private void letAllGo() {
        turns.release(10_000);
    }

    @AllStrategies
    void aBacklogThatMovesSlowlyIsAsOldAsItsOldestMessage(ThreadStrategy strategy) {
        Actor<Integer> actor = slow(actor(strategy));
        for (int i = 1; i <= 5; i++) {
            actor.tell(i);
            assertEquals((i - 1) * 10L, age(actor));
            now += 10;
        }
        assertEquals(50, age(actor)); // the first arrived at 1,000, it is 1,050 now
        handle(actor, 1);
        assertEquals(40, age(actor));
        handle(actor, 3);
        assertEquals(10, age(actor));
        handle(actor, 1);
        assertEquals(0, age(actor));
        letAllGo();
    }

    @AllStrategies
    void theMessagesOfALongBacklogKeepTheirMarks(ThreadStrategy strategy) {
        Actor<Integer> actor = slow(actor(strategy));
        for (int i = 1; i <= 200; i++) {
            actor.tell(i);
            if (i % 50 == 0) {
                age(actor); // marks the newest message
                now += 10;
            }
        }
        assertInstanceOf(MessageSegment.class, ((ActorState<?>) Handles.unwrapped(actor)).newest());
        assertEquals(40, age(actor));
        handle(actor, 60);
        assertEquals(30, age(actor));
        handle(actor, 130);
        assertEquals(10, age(actor));
        letAllGo();
    }

    @AllStrategies
    void aSampleOfAStoppingActorMarksItsNewestMessage(ThreadStrategy strategy) {
        Actor<Integer> actor = slow(actor(strategy));
        for (int i = 1; i <= 200; i++) {
            actor.tell(i);
        }
        actor.stop();
        assertEquals(0, age(actor));
        now += 10;
        handle(actor, 199);
        assertEquals(10, age(actor));
        letAllGo();
    }

    @ParameterizedTest
    @MethodSource("mailboxes")
    void everyMailboxTracksItsWaitingMessages(UnaryOperator<ActorBuilder<Object>> mailbox) {
        Actor<Integer> actor = slow(mailbox.apply(system.actor()));
        actor.tell(1);
        assertEquals(0, age(actor));
        now += 100;
        actor.tell(2);
        assertEquals(100, age(actor));
        actor.stop(); // accepted messages still wait
        now += 100;
        assertEquals(200, age(actor));
        letAllGo();
    }

    @Test
    void droppedMessagesDoNotAge() {
        Actor<Integer> actor = slow(system.actor().bounded(2, Overflow.DROP_OLDEST));
        for (int i = 1; i <= 20; i++) {
            actor.tell(i);
            assertTrue(age(actor) <= 10, () -> "age " + age(actor));
            now += 10;
        }
        letAllGo();
    }

    @Test
    void manySnapshotsKeepTheOldestMark() {
        Actor<Integer> actor = slow(system.actor());
        for (int i = 1; i <= 1_000; i++) {
            actor.tell(i);
            assertEquals((i - 1) * 10L, age(actor));
            now += 10;
        }
        handle(actor, 500);
        long age = age(actor);
        assertTrue(age <= 5_000, () -> "too high: " + age);
        assertTrue(age >= 10, () -> "forgotten: " + age);
        letAllGo();
    }

    @Test
    void theTrackerRetainsNeitherActorsNorMessages() {
        var messages = new ArrayList<WeakReference<Object>>();
        for (int i = 0; i < 10; i++) {
            var message = new Object();
            messages.add(new WeakReference<>(message));
            Actor<Object> actor = system.actor().newActor(m -> turns.acquireUninterruptibly());
            actor.tell(new Object());
            actor.tell(message);
            assertFalse(age(actor) > 0);
        }
        letAllGo();
        Await.until("garbage", () -> {
            System.gc();
            return messages.stream().allMatch(message -> message.get() == null);
        });
    }
}
