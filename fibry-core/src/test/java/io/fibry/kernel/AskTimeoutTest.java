package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorStoppedException;
import io.fibry.AskTimeoutException;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import io.fibry.StopMode;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.dispatch.Durations;
import io.fibry.pool.PoolOptions;
import io.fibry.pool.WorkerPool;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.Stats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Asks with a time limit, and the content of their timeout exceptions. */
class AskTimeoutTest extends KernelTest {

    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofMinutes(1);

    private final List<Object> handled = Collections.synchronizedList(new ArrayList<>());

    /** Replies with the message. A message that is a gate is the place where the handler waits. */
    private ReplyActor<Object, Object> actor(ActorBuilder<Object> builder) {
        return builder.newActorWithReturn((Object message) -> {
            if (message instanceof Gate gate) {
                gate.pass();
            }
            handled.add(message);
            return message;
        });
    }

    private static AskTimeoutException timeout(CompletableFuture<?> asked) {
        return assertInstanceOf(AskTimeoutException.class, Await.failure(asked));
    }

    @AllStrategies
    void theExceptionHasThePositionOfTheMessageAndTheStackOfTheCurrentHandler(ThreadStrategy strategy) {
        for (var mailbox : mailboxes()) {
            var gate = new Gate();
            var actor = actor(mailbox.apply(actor(strategy)));
            actor.tell(gate);
            gate.awaitReached();
            actor.tell(1);
            actor.tell(2);
            var e = timeout(actor.ask(3, SHORT));
            assertEquals(3, e.position());
            String text = e.getMessage();
            assertTrue(text.contains(actor.name()) && text.contains(SHORT.toString()), text);
            assertTrue(text.contains("number 3"), text);
            assertTrue(text.contains("for more than PT") && text.endsWith("a " + Gate.class.getName()), text);
            assertStandsAtTheGate(e);
            assertInstanceOf(TimeoutException.class, e);
            gate.open();
            actor.close();
        }
    }

    private static void assertStandsAtTheGate(AskTimeoutException e) {
        var frames = List.of(e.getCause().getStackTrace());
        assertTrue(
                frames.stream().anyMatch(frame -> frame.getClassName().equals(Gate.class.getName())), frames::toString);
    }

    @AllStrategies
    void theCurrentMessageHasPositionZero(ThreadStrategy strategy) {
        var actor = actor(actor(strategy));
        var gate = new Gate();
        var ask = new LimitedAsk(actor, gate);
        gate.awaitReached();
        var e = ask.timeIsOver();
        assertEquals(0, e.position());
        assertTrue(e.getMessage().contains("this message"), e::getMessage);
        assertStandsAtTheGate(e);
        gate.open();
    }

    @Test
    void aMessageStartedAfterTheAskIsReportedWithItsShorterTime() {
        var actor = actor(system.actor());
        var first = new Gate();
        var second = new Gate();
        actor.tell(first);
        actor.tell(second);
        first.awaitReached();
        var ask = new LimitedAsk(actor, 1);
        first.open();
        second.awaitReached();
        var e = ask.timeIsOver();
        assertEquals(1, e.position());
        assertTrue(e.getMessage().contains("for less than PT"), e::getMessage);
        second.open();
    }

    /** An ask whose time limit expires when the test decides. */
    private static final class LimitedAsk {
        private final Reply<Object> reply = new Reply<>(null);
        private final AskTimeout limit;

        LimitedAsk(Actor<Object> actor, Object message) {
            limit = new AskTimeout(ActorCell.of(actor), reply, LONG);
            assertNull(ActorCell.of(actor).trySend(new Envelope(message, reply)));
        }

        AskTimeoutException timeIsOver() {
            reply.completeExceptionally(limit.end());
            return timeout(reply);
        }
    }

    @AllStrategies
    void anActorInABackoffIsReportedAsPaused(ThreadStrategy strategy) {
        var day = Duration.ofDays(1);
        ReplyActor<Object, Object> actor = actor(strategy)
                .supervision(Supervision.restart().backoff(day, day))
                .newActorWithReturnFrom(context -> message -> {
                    throw new IllegalStateException("thrown on purpose");
                });
        assertInstanceOf(IllegalStateException.class, Await.failure(actor.ask(1)));
        Await.until("it pauses", () -> ActorCell.of(actor).lifecycle().pause().isPaused());
        var e = timeout(actor.ask(2, SHORT));
        assertTrue(e.getMessage().contains("paused: it will be restarted in PT"), e::getMessage);
        actor.stop(StopMode.DISCARD);
    }

    @Test
    void asksThatTimeOutTogetherShareOneSnapshotOfTheActor() {
        int many = 20_000;
        var gate = new Gate();
        var actor = actor(system.actor());
        actor.tell(gate);
        gate.awaitReached();
        var asked = new ArrayList<CompletableFuture<Object>>();
        for (int i = 0; i < many; i++) {
            asked.add(actor.ask(i, Duration.ofMillis(200)));
        }
        Set<Throwable> causes = Collections.newSetFromMap(new IdentityHashMap<>());
        for (var reply : asked) {
            var e = timeout(reply);
            assertEquals(0, e.getStackTrace().length);
            causes.add(e.getCause());
        }
        assertTrue(causes.size() < many / 4, () -> causes.size() + " stacks");
        gate.open();
    }

    /**
     * The actor counts the messages that it has handled; finding the current one requires the number of passed ones.
     */
    @AllStrategies
    void theCurrentMessageIsFoundBehindUncountedMessages(ThreadStrategy strategy) {
        var target = actor(strategy).newSink(null);
        var begin = new Gate();
        var gate = new Gate();
        ReplyActor<Object, Object> actor = actor(strategy).newActorWithReturnFrom(context -> message -> {
            if (message.equals("aside")) {
                context.stash();
            } else if (message.equals("two at once")) {
                assertTrue(context.receive("received"::equals, LONG).isPresent());
            } else if (message.equals("watch")) {
                context.watch(target, exit -> handled.add(exit));
            } else if (message instanceof Gate g) {
                g.pass();
            }
            return message;
        });
        Await.value(actor.ask("watch"));
        actor.tell(begin);
        begin.awaitReached();
        target.stop();
        Await.until("the end is told", () -> ActorCell.of(actor).newest() != null);
        actor.ask("given up").cancel(false);
        actor.tell("aside");
        actor.tell("two at once");
        actor.tell("received");
        actor.tell(gate);
        actor.tell("between");
        begin.open();
        gate.awaitReached();
        var e = timeout(actor.ask("last", SHORT));
        assertEquals(2, e.position(), e::getMessage);
        assertTrue(e.getMessage().endsWith("a " + Gate.class.getName()), e::getMessage);
        gate.open();
    }

    @Test
    void anActorWithoutAThreadHasNoCurrentMessage() {
        List<Runnable> waiting = Collections.synchronizedList(new ArrayList<>());
        var actor = actor(system.actor().strategy(ThreadStrategy.pool(waiting::add)));
        actor.tell(1);
        var e = timeout(actor.ask(2, SHORT));
        assertTrue(e.getMessage().endsWith("the actor waits for a thread"), e::getMessage);
        assertEquals(1, e.position());
        assertNull(e.getCause());
        waiting.removeFirst().run();
    }

    // ---- messages that are not in the mailbox

    private static void assertText(String expected, AskTimeoutException e) {
        assertTrue(e.getMessage().contains(expected), e::getMessage);
    }

    @AllStrategies
    void aSenderWaitsForRoom(ThreadStrategy strategy) {
        var gate = new Gate();
        var full = actor(actor(strategy).bounded(1, Overflow.BLOCK));
        full.tell(gate);
        gate.awaitReached();
        full.tell(1);
        assertText("the sender waits for room in the mailbox; the actor has worked", timeout(full.ask(2, SHORT)));
        gate.open();
    }

    /** The worker that asks the pool is running, so the pool is not idle; the stack of the worker shows the ask. */
    @AllStrategies
    void aPoolThatAsksItselfShowsTheStackOfItsWorker(ThreadStrategy strategy) {
        var pool = new CompletableFuture<ReplyActor<String, String>>();
        pool.complete(WorkerPool.startWithReturn(
                system.actor().strategy(strategy),
                message -> message.equals("ask") ? pool.join().call("never", Duration.ofMillis(200)) : message,
                PoolOptions.of(1)));
        var e = timeout(pool.join().ask("ask"));
        assertText("the actor holds its messages until a child has handled one; ", e);
        assertText(", worker 1 handles a ", e);
        assertTrue(
                List.of(e.getCause().getStackTrace()).stream()
                        .anyMatch(frame -> frame.getClassName().startsWith(AskTimeoutTest.class.getName())),
                () -> List.of(e.getCause().getStackTrace()).toString());
    }

    @AllStrategies
    void cancelledAsksAreSkippedAndCounted(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = actor(actor(strategy));
        actor.tell(gate);
        gate.awaitReached();
        timeout(actor.ask(1, SHORT));
        actor.ask(2).cancel(false);
        actor.ask(3).complete(-3);
        var wanted = actor.ask(4);
        gate.open();
        assertEquals(4, Await.value(wanted));
        actor.close();
        assertEquals(List.of(gate, 4), handled);
        assertEquals(2, Await.end(actor).handled());
        Await.until("all are counted", () -> system.stats().sent() == 5);
        assertEquals(Stats.ofSent(2, 0, 3, 0), system.stats());
    }

    @AllStrategies(direct = true)
    void aReplyWithinTheLimitCompletesTheAsk(ThreadStrategy strategy) {
        var actor = actor(actor(strategy));
        assertEquals(1, Await.value(actor.ask(1, LONG)));
        var failing = actor(strategy).newActorWithReturn((Integer n) -> 1 / n);
        assertInstanceOf(ArithmeticException.class, Await.failure(failing.ask(0, LONG)));
        assertEquals(1, Await.value(failing.ask(1, Durations.FOREVER.plusDays(1))));
    }

    @AllStrategies(direct = true)
    void aRefusedAskFailsWithoutWaitingForItsLimit(ThreadStrategy strategy) {
        var actor = actor(actor(strategy));
        actor.stop();
        var refused = actor.ask(1, LONG);
        assertTrue(refused.isDone());
        assertInstanceOf(ActorStoppedException.class, Await.failure(refused));
    }

    @AllStrategies
    void aDiscardedAskFailsWithoutWaitingForItsLimit(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = actor(actor(strategy));
        actor.tell(gate);
        gate.awaitReached();
        var asked = actor.ask(1, LONG);
        assertFalse(asked.isDone());
        actor.stop(StopMode.DISCARD);
        assertInstanceOf(ActorStoppedException.class, Await.failure(asked));
        gate.open();
    }

    @Test
    void aTimeLimitOfZeroFails() {
        var gate = new Gate();
        var actor = actor(system.actor());
        actor.tell(gate);
        gate.awaitReached();
        timeout(actor.ask(1, Duration.ZERO));
        assertThrows(NullPointerException.class, () -> actor.ask(1, null));
        assertThrows(NullPointerException.class, () -> actor.ask(null, SHORT));
        gate.open();
        actor.close();
        assertEquals(List.of(gate), handled);
    }
}
