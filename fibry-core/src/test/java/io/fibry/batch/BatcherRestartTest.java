package io.fibry.batch;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.Actor;
import io.fibry.ActorStoppedException;
import io.fibry.ReplyActor;
import io.fibry.Supervision;
import io.fibry.SupervisorSpec;
import io.fibry.SupervisorSpec.Restart;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Gate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A batcher that restarts after a failure. */
class BatcherRestartTest extends BatcherCase {

    private Actor<Integer> batcher(ThreadStrategy strategy, BatchOptions options) {
        return Batcher.start(
                system.actor().strategy(strategy).supervision(Supervision.restart()),
                (List<Integer> batch) -> {
                    if (batch.contains(0)) {
                        throw onPurpose();
                    }
                    batches.add(batch);
                },
                options);
    }

    private static IllegalStateException onPurpose() {
        return new IllegalStateException("on purpose");
    }

    private static void fail(Actor<?> actor) {
        actor.execute(() -> {
            throw onPurpose();
        });
    }

    @AllStrategies(direct = true)
    void theLastBatchIsHandledAfterARestart(ThreadStrategy strategy) {
        var batcher = batcher(strategy, BatchOptions.of(2, LONG));
        batcher.tell(0);
        batcher.tell(1);
        batcher.tell(2);
        batcher.close();
        assertEquals(List.of(List.of(2)), batches);
    }

    @AllStrategies(direct = true)
    void aRestartKeepsCollectedMessages(ThreadStrategy strategy) {
        var batcher = batcher(strategy, BatchOptions.of(3, LONG));
        batcher.tell(1);
        fail(batcher);
        batcher.tell(2);
        batcher.close();
        assertEquals(List.of(List.of(1, 2)), batches);
    }

    @AllStrategies
    void theMaximumDelayHoldsAfterARestart(ThreadStrategy strategy) {
        var gate = new Gate();
        var batcher = batcher(strategy, BatchOptions.of(3, Duration.ofMillis(100)));
        batcher.execute(gate::pass); // so that the restart follows the message at once
        batcher.tell(1);
        fail(batcher);
        gate.open();
        await().atMost(Duration.ofSeconds(30)).until(() -> !batches.isEmpty());
        assertEquals(List.of(List.of(1)), batches);
    }

    @AllStrategies
    void aRestartFailsCollectedAsks(ThreadStrategy strategy) {
        ReplyActor<Integer, Integer> replying = Batcher.startWithReturn(
                system.actor().strategy(strategy).supervision(Supervision.restart()),
                (List<Integer> batch) -> {
                    batches.add(batch);
                    return batch;
                },
                BatchOptions.of(3, LONG));
        var asked = replying.ask(1);
        replying.tell(2);
        fail(replying);
        var e = assertThrows(ExecutionException.class, () -> asked.get(30, TimeUnit.SECONDS));
        assertInstanceOf(ActorStoppedException.class, e.getCause());
        replying.close();
        assertEquals(List.of(List.of(2)), batches);
    }

    @Test
    void aRestartByASupervisorKeepsCollectedMessages() {
        var supervisor = system.actor()
                .newSupervisor(SupervisorSpec.oneForOne()
                        .child(
                                "batcher",
                                Restart.PERMANENT,
                                child -> Batcher.start(
                                        child, (List<Integer> batch) -> batches.add(batch), BatchOptions.of(3, LONG))));
        Actor<Integer> batcher = system.<Integer>find("batcher").orElseThrow();
        batcher.tell(1);
        fail(batcher);
        batcher.tell(2);
        batcher.tell(3);
        await().atMost(Duration.ofSeconds(30)).until(() -> !batches.isEmpty());
        assertEquals(List.of(List.of(1, 2, 3)), batches);
        supervisor.close();
    }
}
