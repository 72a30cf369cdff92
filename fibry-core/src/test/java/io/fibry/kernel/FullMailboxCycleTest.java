package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.AskTimeoutException;
import io.fibry.MailboxFullException;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingFunction;
import io.fibry.ThrowingRunnable;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** Defines which waits for room are a deadlock and which are not. {@code FullMailboxStressTest} tests random ones. */
class FullMailboxCycleTest extends KernelTest {

    private static final int FILL = 1;

    /** Two actors fill each other's mailbox, and then both wait for room there at the same time. */
    private static final class Pair {
        private final CountDownLatch bothRunning = new CountDownLatch(2);
        private final CountDownLatch bothFull = new CountDownLatch(2);
        private final CompletableFuture<MailboxFullException> told = new CompletableFuture<>();
        private final ReplyActor<Object, Object> one;
        private final ReplyActor<Object, Object> two;

        Pair(ActorBuilder<Object> first, ActorBuilder<Object> second) {
            one = first.bounded(1, Overflow.BLOCK).newActorWithReturn(this::handle);
            two = second.bounded(1, Overflow.BLOCK).newActorWithReturn(this::handle);
        }

        private Object handle(Object message) throws Exception {
            return message instanceof ThrowingFunction<?, ?> send ? send.apply(null) : message;
        }

        private ThrowingFunction<Object, Object> fillAnd(Actor<Object> other, ThrowingRunnable then) {
            return unused -> {
                bothRunning.countDown();
                Await.latch(bothRunning);
                other.tell(FILL);
                bothFull.countDown();
                Await.latch(bothFull);
                try {
                    then.run();
                } catch (MailboxFullException e) {
                    told.complete(e);
                }
                return null;
            };
        }

        void run(ThrowingRunnable ofOne, ThrowingRunnable ofTwo) {
            one.tell(fillAnd(two, ofOne));
            two.tell(fillAnd(one, ofTwo));
        }
    }

    @AllStrategies
    void aCycleThroughTwoSystemsIsFound(ThreadStrategy strategy) {
        ActorSystem other = ActorSystem.create();
        try (other) {
            var pair = new Pair(actor(strategy), other.actor().strategy(strategy));
            pair.run(() -> pair.two.tell(2), () -> pair.one.tell(2));
            String message = Await.value(pair.told).getMessage();
            assertTrue(message.contains(pair.one.name()) && message.contains(pair.two.name()), message);
        }
    }

    /** The ask stops waiting when its time limit expires, and thereby makes room in its own mailbox. */
    @AllStrategies
    void anAskWithATimeoutEndsItsOwnWait(ThreadStrategy strategy) {
        var pair = new Pair(actor(strategy), actor(strategy));
        var asked = new CompletableFuture<Throwable>();
        var sent = new CompletableFuture<Boolean>();
        pair.run(() -> asked.complete(Await.failure(pair.two.ask(2, Duration.ofMillis(100)))), () -> {
            pair.one.tell(2);
            sent.complete(true);
        });
        assertInstanceOf(AskTimeoutException.class, Await.value(asked));
        assertTrue(Await.value(sent));
        assertTrue(!pair.told.isDone(), () -> pair.told.resultNow().getMessage());
    }

    @AllStrategies
    void anAskWithoutATimeoutIsPartOfACycle(ThreadStrategy strategy) {
        var pair = new Pair(actor(strategy), actor(strategy));
        var asked = new CompletableFuture<CompletableFuture<Object>>();
        pair.run(() -> asked.complete(pair.two.ask(2)), () -> asked.complete(pair.one.ask(2)));
        assertInstanceOf(MailboxFullException.class, Await.failure(Await.value(asked)));
    }

    /** A stop of one of them breaks the cycle and ends the other's wait. */
    @AllStrategies
    void aSenderWaitingAtAStoppedActorIsInNoCycle(ThreadStrategy strategy) {
        var gate = new Gate();
        var result = new CompletableFuture<Throwable>();
        Actor<Object> stopped = actor(strategy).bounded(1, Overflow.BLOCK).newActor(message -> gate.pass());
        Actor<Object> sender = actor(strategy)
                .bounded(1, Overflow.BLOCK)
                .newActor(message -> result.complete(assertThrows(RuntimeException.class, () -> stopped.tell(3))));
        stopped.tell(1);
        gate.awaitReached();
        stopped.tell(2);
        sender.tell(1);
        Await.until("it waits", () -> ActorCell.of(sender).runner() != null);
        stopped.stop();
        assertInstanceOf(ActorStoppedException.class, Await.value(result));
        gate.open();
    }

    /**
     * An actor that has run on the stack of its asker runs on another worker when it has more messages. It is not
     * blocked by later waits of its asker.
     */
    @Test
    void anActorThatHasLeftTheStackOfItsAskerIsNotBlocked() {
        var workers = new Workers();
        try (var system = new LocalSystem(ThreadStrategy.virtual(), workers, 2)) {
            anActorLeavesTheStackOfItsAsker(system, workers);
        }
    }

    private void anActorLeavesTheStackOfItsAsker(ActorSystem system, Workers workers) {
        var bothAreFull = new Gate();
        var elsewhere = new Gate();
        var result = new CompletableFuture<Object>();
        ReplyActor<Object, Object> target = system.actor()
                .bounded(2, Overflow.BLOCK)
                .newActorWithReturn(message -> {
                    if (message.equals("gate")) {
                        elsewhere.pass();
                    }
                    return message;
                });
        Actor<Object> full = system.actor().bounded(1, Overflow.BLOCK).newActor(message -> {
            if (message.equals("gate")) {
                bothAreFull.pass();
                target.tell("waits");
            }
        });
        Actor<Object> asker = system.actor().newActor(message -> {
            workers.hold(2); // otherwise another worker might take the asked actor before this one
            var reply = target.ask("in place");
            target.tell("gate"); // released when the reply has arrived; another worker handles it
            reply.join();
            workers.release();
            elsewhere.awaitReached();
            target.tell("fills");
            target.tell("fills");
            full.tell("fills");
            bothAreFull.open();
            Await.until("the full one waits", () -> waits(ActorCell.of(full)));
            try {
                full.tell("waits");
                result.complete("sent");
            } catch (MailboxFullException e) {
                result.complete(e);
            }
        });
        full.tell("gate");
        bothAreFull.awaitReached();
        asker.tell("go");
        Await.until("the asker waits", () -> result.isDone() || waits(ActorCell.of(asker)));
        elsewhere.open();
        assertEquals("sent", Await.value(result));
    }

    /** Starts workers, or delays their start. */
    private static final class Workers implements Executor {
        private final Queue<Thread> started = new ConcurrentLinkedQueue<>();
        private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();
        private volatile boolean holds;

        @Override
        public void execute(Runnable worker) {
            if (holds) {
                held.add(worker);
            } else {
                started.add(Thread.startVirtualThread(worker));
            }
        }

        /** Starts no more workers, and waits until this number is left. */
        void hold(int left) {
            holds = true;
            Await.until(
                    "idle workers end",
                    () -> started.stream().filter(Thread::isAlive).count() <= left);
        }

        void release() {
            holds = false;
            held.forEach(this::execute);
        }
    }

    /** Whether the handler of the actor waits for room. */
    private static boolean waits(ActorCell<?> actor) {
        for (StackTraceElement frame : actor.stack()) {
            if (frame.getMethodName().equals("awaitWhile")) {
                return true;
            }
        }
        return false;
    }
}
