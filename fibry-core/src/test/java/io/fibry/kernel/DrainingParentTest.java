package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorExit;
import io.fibry.ActorStoppedException;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.InContext;
import io.fibry.testing.KernelTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A parent that drains continues to answer its children, since they end before it does. It refuses other senders. */
class DrainingParentTest extends KernelTest {

    private final List<Integer> handled = Collections.synchronizedList(new ArrayList<>());

    private ReplyActor<Integer, Integer> parent(ActorBuilder<? super Integer> builder) {
        return builder.newActorWithReturn((Integer n) -> {
            handled.add(n);
            return n * n;
        });
    }

    @AllStrategies(direct = true)
    void itAnswersTheAskOfAChild(ThreadStrategy strategy) {
        for (ActorBuilder<? super Integer> builder : List.<ActorBuilder<? super Integer>>of(
                actor(strategy),
                actor(strategy).bounded(1, Overflow.BLOCK),
                actor(strategy).priority((Integer a, Integer b) -> a - b))) {
            var parent = parent(builder);
            var gate = new Gate();
            var answer = new CompletableFuture<Integer>();
            Actor<Integer> child = system.actor().childOf(parent).newActor((Integer n) -> {
                gate.pass();
                answer.complete(value(parent.ask(n)));
            });
            child.tell(7);
            gate.awaitReached();
            parent.stop();
            assertThrows(ActorStoppedException.class, () -> parent.tell(1));
            gate.open();
            assertEquals(49, Await.value(answer));
            assertEquals(1, Await.end(parent).handled());
        }
    }

    private static int value(CompletableFuture<Integer> reply) {
        try {
            return reply.get(20, TimeUnit.SECONDS); // a limit: not in place
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @AllStrategies
    void itAnswersAChildThatWaitsWithoutALimit(ThreadStrategy strategy) {
        var parent = parent(actor(strategy));
        var gate = new Gate();
        var answer = new CompletableFuture<Integer>();
        Actor<Integer> child = actor(strategy).childOf(parent).newActor((Integer n) -> {
            gate.pass();
            answer.complete(parent.ask(n).join());
        });
        child.tell(7);
        gate.awaitReached();
        parent.stop();
        gate.open();
        assertEquals(49, Await.value(answer));
        assertEquals(ActorExit.Reason.NORMAL, Await.end(parent).reason());
    }

    /** A stop closes the bounded mailbox a moment before the mailbox. */
    @AllStrategies
    void tryTellOfAChildIsAcceptedDuringTheStop(ThreadStrategy strategy) {
        var parent = parent(actor(strategy).bounded(1, Overflow.FAIL));
        var child = InContext.actor(actor(strategy).childOf(parent));
        InContext.run(child, context -> {
            ActorCell.of(parent).boundedMailbox().close();
            assertTrue(parent.tryTell(7));
        });
        parent.close();
        assertEquals(List.of(7), handled);
    }

    @AllStrategies
    void messagesReceivedBeforeTheStopAreHandledFirstAndAChildsMessagesKeepTheirOrder(ThreadStrategy strategy) {
        var gate = new Gate();
        ReplyActor<Integer, Integer> parent = actor(strategy).newActorWithReturn((Integer n) -> {
            if (n == 0) {
                gate.pass();
            }
            handled.add(n);
            return n;
        });
        var sent = new CompletableFuture<Void>();
        Actor<Integer> grandchild = system.actor()
                .childOf(system.actor().childOf(parent).newActor((Integer n) -> {}))
                .newActor((Integer n) -> {
                    for (int i = 3; i < 100; i++) {
                        parent.tell(i);
                    }
                    sent.complete(null);
                });
        parent.tell(0);
        gate.awaitReached();
        parent.tell(1);
        parent.tell(2);
        parent.stop();
        grandchild.tell(1);
        Await.value(sent);
        gate.open();
        Await.end(parent);
        List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            expected.add(i);
        }
        assertEquals(expected, handled);
    }

    @AllStrategies
    void aHarderStopFailsTheAskOfAChildAtOnce(ThreadStrategy strategy) {
        var inParent = new Gate();
        ReplyActor<Integer, Integer> parent = actor(strategy).newActorWithReturn((Integer n) -> {
            inParent.pass();
            return n;
        });
        var inChild = new Gate();
        var failure = new CompletableFuture<Throwable>();
        Actor<Integer> child = system.actor().childOf(parent).newActor((Integer n) -> {
            inChild.pass();
            parent.tell(n);
            inParent.awaitReached();
            var ask = parent.ask(n);
            parent.stop(StopMode.DISCARD);
            failure.complete(Await.failure(ask));
        });
        child.tell(1);
        inChild.awaitReached();
        parent.stop();
        inChild.open();
        assertInstanceOf(ActorStoppedException.class, Await.value(failure));
        inParent.open();
        assertEquals(1, Await.end(parent).discarded());
    }

    /** Otherwise a draining parent would handle it, and handle the messages before it in the mailbox a second time. */
    @Test
    void aRefusedMessageIsNotLinkedToAcceptedMessages() {
        ActorCell<?> closed = ActorCell.of(system.actor().newActor((Integer n) -> {}));
        closed.stop();
        Await.end(closed);
        var refused = new Envelope(1, null);
        refused.next = new Envelope(2, null); // as after an attempt just before the close
        assertFalse(closed.offer(refused));
        assertNull(refused.next);
    }

    @AllStrategies
    void noMessageOfAChildIsLostAtAnyMoment(ThreadStrategy strategy) {
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            var sum = new AtomicInteger();
            Actor<Integer> parent = actor(strategy).newActor((Integer n) -> sum.addAndGet(n));
            int spins = random.nextInt(2_000);
            for (int c = 0; c < 3; c++) {
                Actor<Integer> child = system.actor().childOf(parent).newActor((Integer n) -> {
                    parent.tell(1);
                    for (int i = 0; i < spins; i++) {
                        Thread.onSpinWait();
                    }
                    parent.tell(1);
                });
                for (int i = 0; i < 5; i++) {
                    child.tell(i);
                }
            }
            parent.stop();
            Await.end(parent);
            assertEquals(30, sum.get(), () -> "seed " + seed);
        }
    }
}
