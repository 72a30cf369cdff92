package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.batch.BatchOptions;
import io.fibry.entity.EntityOptions;
import io.fibry.mapreduce.MapReduceOptions;
import io.fibry.pool.PoolOptions;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A behavior that throws a {@link CancellationException} has failed. Its asker has not cancelled the ask, and has to
 * see the difference.
 *
 * <p>Seen to fail: a reply that keeps the exception of the behavior, one that does not unwrap a
 * {@link CompletionException}, one that converts the exceptions of the asker, and a map-reduce job that passes on the
 * exception of its mapper.
 */
class BehaviorCancelledTest extends KernelTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final CancellationException thrown = new CancellationException("meant to fail");

    private static void assertFailedBy(Throwable cause, CompletableFuture<?> asked) {
        Throwable failure = assertThrows(ExecutionException.class, asked::get).getCause();
        assertSame(
                cause,
                assertInstanceOf(BehaviorCancelledException.class, failure).getCause());
        assertFalse(asked.isCancelled(), "the asker has not cancelled it");
        assertThrows(CompletionException.class, asked::join);
        assertFalse(
                asked.thenApply(reply -> reply).isCancelled(), "a stage that depends on it is not cancelled either");
    }

    private ReplyActor<String, String> failing(ActorBuilder<Object> builder) {
        return builder.newActorWithReturn(message -> failure(thrown));
    }

    @AllStrategies(direct = true)
    void anAskFailsAndIsNotCancelled(ThreadStrategy strategy) {
        ReplyActor<String, String> actor = failing(actor(strategy));
        assertFailedBy(thrown, actor.ask("a"));
        assertFailedBy(thrown, actor.ask("a", LONG));
        assertFailedBy(thrown, Asks.all(List.of(actor.ask("a")), LONG));
        assertFailedBy(thrown, Asks.first(List.of(actor.ask("a")), LONG));
        var e = assertThrows(BehaviorCancelledException.class, () -> actor.call("a"));
        assertSame(thrown, e.getCause());
        assertTrue(e.getMessage().contains("CancellationException: meant to fail"), e.getMessage());
    }

    /**
     * {@code join} of a stage that depends on a cancelled future throws this. The asker's future would unwrap it.
     */
    @Test
    void aCancellationInACompletionExceptionIsFound() {
        var wrapped = new CompletionException(thrown);
        ReplyActor<String, String> actor = system.actor().newActorWithReturn(message -> failure(wrapped));
        assertFailedBy(wrapped, actor.ask("a"));
        assertThrows(BehaviorCancelledException.class, () -> actor.call("a"));
    }

    @Test
    void aFailureSetOnTheReplyIsNotACancellation() {
        Actor<ReplyTo<String>> carrying = system.actor().newActor(replyTo -> replyTo.fail(thrown));
        assertFailedBy(thrown, carrying.ask((ReplyTo<String> replyTo) -> replyTo, LONG));
        ReplyActor<String, String> deferring = system.actor()
                .newActorWithReturnFrom((ReplyContext<String, String> context) -> message -> {
                    context.deferReply().fail(thrown);
                    return "ignored";
                });
        assertFailedBy(thrown, deferring.ask("a"));
    }

    @Test
    void aFailureThatTheReplyHasIsNotLogged() {
        ReplyActor<String, String> actor = system.actor()
                .newActorWithReturnFrom((ReplyContext<String, String> context) -> message -> {
                    context.deferReply().fail(thrown);
                    throw thrown;
                });
        try (var log = new LogLines()) {
            assertFailedBy(thrown, actor.ask("a"));
            actor.close();
            assertEquals(List.of(), log.with("meant to fail"));
        }
    }

    @Test
    void supervisionGetsTheOriginalException() {
        Supervision policy = Supervision.resume().on(CancellationException.class, Supervision.stop());
        ReplyActor<String, String> actor = failing(system.actor().supervision(policy));
        assertFailedBy(thrown, actor.ask("a"));
        assertSame(thrown, Await.end(actor).cause());
    }

    @Test
    void theAskerCanCancel() {
        var gate = new Gate();
        ReplyActor<String, String> actor = system.actor().newActorWithReturn(message -> {
            gate.pass();
            return message;
        });
        var cancelled = actor.ask("a");
        assertTrue(cancelled.cancel(false));
        assertTrue(cancelled.isCancelled());
        var completed = actor.ask("b");
        assertTrue(completed.completeExceptionally(thrown));
        assertTrue(completed.isCancelled());
        gate.open();
    }

    @Test
    void sinksPoolsAndBatchersFailTheAsk() {
        ThrowingFunction<String, String> behavior = message -> failure(thrown);
        assertFailedBy(thrown, system.actor().newSink("state").ask(behavior));
        var stereotypes = Stereotypes.def().in(system);
        try (var workers = stereotypes.workerPoolWithReturn(behavior, PoolOptions.of(2))) {
            assertFailedBy(thrown, workers.ask("a"));
        }
        try (var batcher = stereotypes.batcherWithReturn(
                (List<String> batch) -> List.of(behavior.apply(batch.getFirst())), BatchOptions.of(1, LONG))) {
            assertFailedBy(thrown, batcher.ask("a"));
        }
        try (var entities =
                stereotypes.<String, String, String>entities(key -> behavior::apply, EntityOptions.defaults())) {
            assertFailedBy(thrown, entities.ref("key").ask("a", LONG));
        }
        try (var supervisor = system.actor().newSupervisor(SupervisorSpec.oneForOne())) {
            assertFailedBy(
                    thrown, supervisor.<Actor<String>>start("child", SupervisorSpec.Restart.PERMANENT, builder -> {
                        throw thrown;
                    }));
        }
    }

    @Test
    void theResultOfAMapReduceJob() {
        var job = Stereotypes.def()
                .in(system)
                .mapReduce(Stream.of("a"), message -> failure(thrown), "", String::concat, MapReduceOptions.defaults());
        assertFailedBy(thrown, job.result());
    }

    private static String failure(RuntimeException e) {
        throw e;
    }
}
