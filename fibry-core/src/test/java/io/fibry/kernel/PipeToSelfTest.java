package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorExit;
import io.fibry.ActorStoppedException;
import io.fibry.ReplyActor;
import io.fibry.ReplyTo;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.CountingBehavior;
import io.fibry.testing.Gate;
import io.fibry.testing.InContext;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/**
 * {@code pipeToSelf}: the result of a stage is sent to the behavior as a message. {@link PipeStopTest} tests the effect
 * of stops.
 */
class PipeToSelfTest extends KernelTest {

    private static final int UPDATES = 2_000;

    private final RuntimeException failure = new IllegalStateException("meant to fail");
    private final List<String> seen = new CopyOnWriteArrayList<>();

    /** Code that runs as a message, and records an event. */
    private InContext.Code note(String what) {
        return context -> seen.add(what);
    }

    @AllStrategies(direct = true)
    void theBehaviorGetsTheValueOrTheFailure(ThreadStrategy strategy) {
        for (UnaryOperator<ActorBuilder<Object>> mailbox : mailboxes()) {
            seen.clear();
            var actor = InContext.actor(mailbox.apply(actor(strategy)));
            var value = new CompletableFuture<Integer>();
            var failed = new CompletableFuture<Integer>();
            var nothing = new CompletableFuture<Integer>();
            InContext.run(actor, context -> {
                context.pipeToSelf(value, (v, f) -> note(v + " " + f));
                context.pipeToSelf(failed.thenApply(v -> v), (v, f) -> note(v + " " + failure.equals(f)));
                context.pipeToSelf(nothing, (v, f) -> note(v + " " + f));
            });
            InContext.run(actor, note("between"));
            value.complete(1);
            failed.completeExceptionally(failure);
            nothing.complete(null);
            actor.close();
            assertEquals(List.of("between", "1 null", "null true", "null null"), seen);
        }
    }

    @AllStrategies(direct = true)
    void theResultOfACompletedStageIsHandledAfterTheCurrentMessage(ThreadStrategy strategy) {
        var actor = InContext.actor(actor(strategy));
        InContext.run(actor, context -> {
            context.pipeToSelf(CompletableFuture.completedFuture(1), (v, f) -> note("value " + v));
            context.pipeToSelf(CompletableFuture.failedFuture(failure), (v, f) -> note("failure " + failure.equals(f)));
            context.pipeToSelf(
                    CompletableFuture.failedFuture(new CompletionException("without a cause", null)),
                    (v, f) -> note("failure " + (f instanceof CompletionException)));
            seen.add("running");
        });
        actor.close();
        assertEquals(List.of("running", "value 1", "failure true", "failure true"), seen);
    }

    /**
     * The completing thread runs no code of the actor; otherwise the function would run concurrently with the current
     * handler.
     */
    @AllStrategies
    void theFunctionWaitsForTheCurrentHandler(ThreadStrategy strategy) {
        var stage = new CompletableFuture<Integer>();
        var gate = new Gate();
        var hasRun = new AtomicBoolean();
        var result = new CompletableFuture<String>();
        Actor<String> actor = actor(strategy).newActorFrom(context -> message -> {
            if (message.equals("begin")) {
                context.pipeToSelf(stage, (value, failure) -> {
                    hasRun.set(true);
                    return "value " + value;
                });
                gate.pass();
            } else {
                result.complete(message);
            }
        });
        actor.tell("begin");
        gate.awaitReached();
        stage.complete(1);
        assertFalse(hasRun.get(), "the function has run on the thread that completes the stage");
        gate.open();
        assertEquals("value 1", Await.value(result));
    }

    /** In {@code thenAccept}, some of the updates would be lost, since the code runs on the completing thread. */
    @AllStrategies
    void noUpdateOfPlainStateIsLost(ThreadStrategy strategy) {
        var other = actor(strategy).newActorWithReturn((Integer n) -> n);
        var all = new CountDownLatch(2 * UPDATES);
        int[] state = new int[1]; // plain
        Actor<String> actor = actor(strategy).newActorFrom(context -> message -> {
            if (message.equals("ask")) {
                context.pipeToSelf(other.ask(1), (v, f) -> {
                    state[0]++;
                    return "answer";
                });
            }
            state[0]++;
            all.countDown();
        });
        for (int i = 0; i < UPDATES; i++) {
            actor.tell("ask");
        }
        Await.latch(all);
        actor.close();
        assertEquals(3 * UPDATES, state[0]);
    }

    @AllStrategies(direct = true)
    void anExceptionOfTheFunctionIsAFailureOfTheBehavior(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var actor = InContext.actor(system.actor("clerk").strategy(strategy));
            InContext.run(
                    actor,
                    context -> context.pipeToSelf(CompletableFuture.completedFuture(1), (v, f) -> {
                        throw failure;
                    }));
            InContext.run(actor, note("goes on"));
            actor.close();
            assertEquals(1, log.with("ERROR", "Actor clerk failed").size(), log::text);
            assertEquals(1, log.with(failure.toString()).size(), log::text);
            assertEquals(1, Await.end(actor).failed());
        }
        var stopped = InContext.actor(actor(strategy).supervision(Supervision.stop()));
        InContext.run(
                stopped,
                context -> context.pipeToSelf(CompletableFuture.completedFuture(1), (v, f) -> context2 -> {
                    throw failure;
                }));
        assertSame(failure, Await.end(stopped).cause());
    }

    @AllStrategies(direct = true)
    void theFunctionMustReturnAMessage(ThreadStrategy strategy) {
        var actor = InContext.actor(actor(strategy).supervision(Supervision.stop()));
        InContext.run(actor, context -> context.pipeToSelf(CompletableFuture.completedFuture(1), (v, f) -> null));
        Throwable cause = Await.end(actor).cause();
        assertInstanceOf(NullPointerException.class, cause);
        assertTrue(String.valueOf(cause.getMessage()).contains("pipeToSelf"), cause::toString);
    }

    @AllStrategies(direct = true)
    void wrongArgumentsAndEndedActorsAreRefused(ThreadStrategy strategy) {
        var actor = InContext.actor(actor(strategy));
        var context = InContext.of(actor);
        var stage = new CompletableFuture<Integer>();
        assertThrows(NullPointerException.class, () -> context.pipeToSelf(null, (v, f) -> note("x")));
        assertThrows(NullPointerException.class, () -> context.pipeToSelf(stage, null));
        actor.close();
        assertThrows(ActorStoppedException.class, () -> context.pipeToSelf(stage, (v, f) -> note("x")));
    }

    /** The function runs once, although the message arrives twice. */
    @AllStrategies(direct = true)
    void aResultCanBeStashedAndUnstashed(ThreadStrategy strategy) {
        var stage = new CompletableFuture<Integer>();
        boolean[] open = new boolean[1];
        Actor<String> actor = actor(strategy).newActorFrom(context -> {
            context.pipeToSelf(stage, (v, f) -> {
                seen.add("made");
                return "result " + v;
            });
            return message -> {
                seen.add(message);
                if (message.equals("open")) {
                    open[0] = true;
                    context.unstashAll();
                } else if (!open[0]) {
                    context.stash();
                }
            };
        });
        stage.complete(7);
        actor.tell("open");
        var end = closed(actor);
        assertEquals(List.of("made", "result 7", "open", "result 7"), seen);
        assertEquals(2, end.handled()); // a stashed result counts once
        assertEquals(0, end.discarded());
    }

    @AllStrategies(direct = true)
    void aResultSurvivesARestart(ThreadStrategy strategy) {
        var stage = new CompletableFuture<Integer>();
        int[] made = new int[1];
        ReplyActor<Object, Integer> actor = actor(strategy)
                .supervision(Supervision.restart())
                .newActorWithReturnFrom(context -> {
                    int number = ++made[0];
                    return message -> {
                        if (message.equals("ask")) {
                            context.pipeToSelf(stage, (v, f) -> "result " + v);
                        }
                        CountingBehavior.act(message);
                        seen.add(number + " " + message);
                        return number;
                    };
                });
        Await.value(actor.ask("ask"));
        assertSame(failure, Await.failure(actor.ask(failure)));
        assertEquals(2, Await.value(actor.ask("x")));
        stage.complete(7);
        actor.close();
        assertEquals(List.of("1 ask", "2 x", "2 result 7"), seen);
    }

    @AllStrategies
    void aReplyCanDependOnAnotherActor(ThreadStrategy strategy) {
        record Asked(int number, ReplyTo<Integer> replyTo, Integer square) {}
        var squares = actor(strategy).newActorWithReturn((Integer n) -> {
            if (n < 0) {
                throw failure;
            }
            return n * n;
        });
        ReplyActor<Object, Integer> front = actor(strategy).newActorWithReturnFrom(context -> message -> {
            switch (message) {
                case Integer n -> {
                    ReplyTo<Integer> reply = context.deferReply();
                    context.pipeToSelf(
                            squares.ask(n), (v, f) -> f == null ? new Asked(n, reply, v) : refused(reply, f));
                }
                case Asked asked -> asked.replyTo().reply(asked.square() + asked.number());
                default -> {}
            }
            return -1;
        });
        List<CompletableFuture<Integer>> replies = new ArrayList<>();
        for (int n = 0; n < 200; n++) {
            replies.add(front.ask(n));
        }
        for (int n = 0; n < 200; n++) {
            assertEquals(n * n + n, Await.value(replies.get(n)));
        }
        assertSame(failure, Await.failure(front.ask(-1)));
        var last = front.ask(3);
        front.stop(); // drains, and therefore waits for the result
        assertEquals(12, Await.value(last));
        assertEquals(2 * 202, Await.end(front).handled()); // each question, and each result
    }

    private static String refused(ReplyTo<Integer> reply, Throwable failure) {
        reply.fail(failure);
        return "refused";
    }

    @AllStrategies(direct = true)
    void anIdleActorWithoutOpenStagesIsNotRetained(ThreadStrategy strategy) {
        var actor = InContext.actor(actor(strategy));
        var stage = new CompletableFuture<Integer>();
        InContext.run(actor, context -> context.pipeToSelf(stage, (v, f) -> note("value " + v)));
        assertTrue(ActorCell.of(actor).context().awaitsSomething());
        stage.complete(1);
        InContext.run(actor, note("after"));
        assertFalse(ActorCell.of(actor).context().awaitsSomething());
        assertEquals(List.of("value 1", "after"), seen);
        assertNull(Await.end(closedActor(actor)).cause());
    }

    private static ActorExit closed(Actor<?> actor) {
        return Await.end(closedActor(actor));
    }

    private static Actor<?> closedActor(Actor<?> actor) {
        actor.close();
        return actor;
    }
}
