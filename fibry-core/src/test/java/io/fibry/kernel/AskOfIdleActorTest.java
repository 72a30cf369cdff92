package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorInfo;
import io.fibry.AskTimeoutException;
import io.fibry.ReplyActor;
import io.fibry.ThreadStrategy;
import io.fibry.pool.PoolOptions;
import io.fibry.pool.WorkerPool;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/**
 * The timeout of an ask whose actor is idle: it has passed its work on to a descendant or to a stage.
 *
 * <p>Seen to fail: if grandchildren are not examined, and if a running worker is preferred to one that waits.
 */
class AskOfIdleActorTest extends KernelTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    /** Sends an ask whose timeout never expires by itself. */
    private static AskTimeout ask(Actor<?> actor, Object message) {
        var reply = new Reply<Object>(null);
        var limit = new AskTimeout(ActorCell.of(actor), reply, LONG);
        assertNull(ActorCell.of(actor).trySend(new Envelope(message, reply)));
        return limit;
    }

    private static void awaitIdle(Actor<?> actor) {
        Await.until("it is idle", () -> ActorCell.of(actor).isIdle());
    }

    private static void assertShowsTheGate(AskTimeoutException e) {
        Throwable cause = assertInstanceOf(Throwable.class, e.getCause(), e::getMessage);
        assertTrue(
                Arrays.stream(cause.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().equals(Gate.class.getName())),
                () -> Arrays.toString(cause.getStackTrace()));
    }

    @AllStrategies
    void aBusyGrandchildIsReported(ThreadStrategy strategy) {
        var gate = new Gate();
        var passesOn = new CompletableFuture<Actor<Object>>();
        ReplyActor<Object, Object> actor = actor(strategy).newActorWithReturnFrom(context -> {
            Actor<Object> child = context.spawn().strategy(strategy).newActorFrom(own -> {
                Actor<Object> grandchild =
                        own.spawn().strategy(strategy).label("grandchild").newActor(message -> gate.pass());
                return grandchild::tell;
            });
            passesOn.complete(child);
            return message -> {
                context.deferReply();
                child.tell(message);
                return message;
            };
        });
        var limit = ask(actor, "work");
        gate.awaitReached();
        awaitIdle(actor);
        awaitIdle(passesOn.join());
        var e = limit.end();
        assertTrue(
                e.getMessage()
                        .endsWith("and it has not been given; the actor is idle; grandchild handles a"
                                + " java.lang.String"),
                e::getMessage);
        assertShowsTheGate(e);
        gate.open();
    }

    @AllStrategies
    void openStagesAreReported(ThreadStrategy strategy) {
        var stage = new CompletableFuture<Object>();
        ReplyActor<Object, Object> actor = actor(strategy).newActorWithReturnFrom(context -> message -> {
            context.deferReply();
            context.pipeToSelf(stage, (value, failure) -> "result");
            return message;
        });
        var limit = ask(actor, "work");
        Await.until("it waits for the stage", () -> ActorCell.of(actor).awaitsSomething());
        awaitIdle(actor);
        var e = limit.end();
        assertTrue(
                e.getMessage().endsWith("the actor is idle; stages of pipeToSelf that have not completed: 1"),
                e::getMessage);
        assertNull(e.getCause());
        stage.cancel(false);
    }

    @AllStrategies
    void aWorkerOfAPoolIsReported(ThreadStrategy strategy) {
        var gate = new Gate();
        var pool = WorkerPool.startWithReturn(
                system.actor().strategy(strategy),
                message -> {
                    gate.pass();
                    return message;
                },
                PoolOptions.of(3));
        var limit = ask(pool, "work");
        gate.awaitReached();
        awaitIdle(pool);
        var e = limit.end();
        assertTrue(e.getMessage().contains("the actor is idle; " + pool.name() + ", worker "), e::getMessage);
        assertShowsTheGate(e);
        gate.open();
    }

    /** The other worker has run for longer, but the one that waits for its own pool is the likely cause. */
    @AllStrategies
    void theWorkerThatWaitsForItsPoolIsReported(ThreadStrategy strategy) {
        var gate = new Gate();
        var pool = new CompletableFuture<ReplyActor<String, String>>();
        pool.complete(WorkerPool.startWithReturn(
                system.actor("pool").strategy(strategy),
                message -> {
                    switch (message) {
                        case "gate" -> gate.pass();
                        case "ask" -> assertEquals("inner", askItself(pool.join()));
                        default -> {}
                    }
                    return message;
                },
                PoolOptions.of(2)));
        var passed = pool.join().ask("gate");
        gate.awaitReached();
        var asked = pool.join().ask("ask");
        Await.until(
                "the worker waits",
                () -> system.actors().anyMatch(actor -> actor.state() == ActorInfo.State.WAITS_FOR_REPLY));
        awaitIdle(pool.join());
        var e = assertInstanceOf(
                AskTimeoutException.class, Await.failure(pool.join().ask("outer", Duration.ofMillis(1))));
        assertTrue(
                e.getMessage().contains("the actor holds its messages until a child has handled one; "), e::getMessage);
        assertTrue(
                e.getMessage().endsWith(", and waits for a reply of pool; other descendants that handle a message: 1"),
                e::getMessage);
        assertTrue(
                Arrays.stream(e.getCause().getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("askItself")),
                () -> Arrays.toString(e.getCause().getStackTrace()));
        gate.open();
        assertEquals("gate", Await.value(passed));
        assertEquals("ask", Await.value(asked));
    }

    private static String askItself(ReplyActor<String, String> pool) throws Exception {
        return pool.call("inner", LONG);
    }

    private ReplyActor<Object, Object> atTheGate(ThreadStrategy strategy, Gate gate) {
        return system.actor("stock").strategy(strategy).newActorWithReturn(message -> {
            gate.pass();
            return message;
        });
    }

    /** Checks that the actor is stuck, waits for the other one, and shows the frames of this class. */
    private void assertIsStuck(String name, String waitsFor) {
        Await.until(
                name + " is stuck",
                () -> system.stuck(Duration.ZERO).stream()
                        .anyMatch(info -> info.name().equals(name)
                                && info.state() == ActorInfo.State.WAITS_FOR_REPLY
                                && waitsFor.equals(info.waitsFor())
                                && info.stack().stream()
                                        .anyMatch(
                                                f -> f.getClassName().startsWith(AskOfIdleActorTest.class.getName()))));
    }

    @AllStrategies
    void theActorThatAPipedAskWaitsForIsReported(ThreadStrategy strategy) {
        var gate = new Gate();
        var stock = atTheGate(strategy, gate);
        ReplyActor<Object, Object> actor = actor(strategy).newActorWithReturnFrom(context -> message -> {
            if (message.equals("work")) {
                context.deferReply();
                context.pipeToSelf(stock.ask("pen").thenApply(v -> v), (value, failure) -> "result");
            }
            return message;
        });
        var limit = ask(actor, "work");
        gate.awaitReached();
        Await.until("it waits for the stage", () -> ActorCell.of(actor).awaitsSomething());
        awaitIdle(actor);
        var e = limit.end();
        assertTrue(
                e.getMessage()
                        .endsWith("the actor is idle; stages of pipeToSelf that have not completed: 1; the latest one"
                                + " waits for a reply of stock, which handles a java.lang.String"),
                e::getMessage);
        assertShowsTheGate(e);
        gate.open();
        Await.until("the result has come", () -> ActorCell.of(actor).context().latestPipe() == null);
    }

    @AllStrategies
    void aChildThatWaitsForAStageIsReported(ThreadStrategy strategy) {
        var gate = new Gate();
        var stock = atTheGate(strategy, gate);
        ReplyActor<Object, Object> actor = actor(strategy).newActorWithReturnFrom(context -> {
            Actor<Object> child = context.spawn()
                    .strategy(strategy)
                    .label("child")
                    .newActor(message -> stock.ask("pen").thenApply(v -> v).join());
            return message -> {
                context.deferReply();
                child.tell(message);
                return message;
            };
        });
        var limit = ask(actor, "work");
        gate.awaitReached();
        assertIsStuck("child", "stock");
        awaitIdle(actor);
        var e = limit.end();
        assertTrue(
                e.getMessage().endsWith("child handles a java.lang.String, and waits for a reply of stock"),
                e::getMessage);
        gate.open();
    }

    @AllStrategies
    void aWorkerThatWaitsForAStageOfItsPoolIsReported(ThreadStrategy strategy) {
        var pool = new CompletableFuture<ReplyActor<String, String>>();
        var waitedFor = new CompletableFuture<CompletableFuture<String>>();
        pool.complete(WorkerPool.startWithReturn(
                system.actor("pool").strategy(strategy),
                message -> {
                    if (message.equals("ask")) {
                        var stage = pool.join().ask("inner").thenApply(v -> v);
                        waitedFor.complete(stage);
                        return stage.join();
                    }
                    return message;
                },
                PoolOptions.of(1)));
        var asked = pool.join().ask("ask");
        assertIsStuck("pool, worker 1", "pool");
        var e = assertInstanceOf(
                AskTimeoutException.class, Await.failure(pool.join().ask("outer", Duration.ofMillis(1))));
        assertTrue(e.getMessage().endsWith(", and waits for a reply of pool"), e::getMessage);
        Await.value(waitedFor).complete("by hand");
        assertEquals("by hand", Await.value(asked));
    }
}
