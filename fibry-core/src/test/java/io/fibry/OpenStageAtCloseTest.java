package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.InContext;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A close that gives up a stage of {@code pipeToSelf} reports it, as it does for a stuck handler. */
class OpenStageAtCloseTest extends KernelTest {

    private static final String LINE = "of the stages given to pipeToSelf have not completed";

    private static Actor<InContext.Code> waiting(ActorBuilder<Object> builder, CompletableFuture<String> stage) {
        var actor = InContext.actor(builder);
        InContext.run(actor, context -> {
            context.pipeToSelf(stage, (value, failure) -> c -> {});
            context.pipeToSelf(stage, (value, failure) -> c -> {});
        });
        return actor;
    }

    private static void assertReported(LogLines log, String name) {
        List<String> lines = log.with(LINE);
        assertEquals(1, lines.size(), log::text);
        assertTrue(lines.getFirst().contains(name) && lines.getFirst().contains(" 2 "), log::text);
    }

    @AllStrategies(direct = true)
    void theCloseOfAnActorReportsTheOpenStage(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var actor = waiting(system.actor("piping").strategy(strategy), new CompletableFuture<>());
            assertFalse(actor.close(Duration.ofMillis(1)));
            Await.end(actor);
            assertReported(log, "piping");
        }
    }

    @AllStrategies(direct = true)
    void theCloseOfASystemReportsOpenStagesOfChildren(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var parent = InContext.actor(system.actor("parent"));
            var child = waiting(system.actor("piping").strategy(strategy).childOf(parent), new CompletableFuture<>());
            assertFalse(system.close(Duration.ofMillis(1)));
            Await.end(child);
            assertReported(log, "piping");
            assertTrue(system.close(Await.LIMIT)); // this close gives up nothing
        }
    }

    @AllStrategies(direct = true)
    void aStopWithADeadlineReportsTheOpenStage(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var actor = waiting(system.actor("piping").strategy(strategy), new CompletableFuture<>());
            Await.value(actor.stop(Duration.ofMillis(1)));
            assertReported(log, "piping");
        }
    }

    @AllStrategies(direct = true)
    void aStageThatCompletesInTimeIsNotReported(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var stage = new CompletableFuture<String>();
            var actor = waiting(actor(strategy), stage);
            actor.stop();
            stage.complete("value");
            assertTrue(actor.close(Duration.ofSeconds(20)));
            assertTrue(system.close(Duration.ofSeconds(20)));
            assertEquals(List.of(), log.with(LINE));
        }
    }

    /** A discard has no use for the results. */
    @AllStrategies(direct = true)
    void aDiscardingStopIsNotReported(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var actor = waiting(actor(strategy), new CompletableFuture<>());
            actor.stop(StopMode.DISCARD);
            assertTrue(actor.close(Duration.ofSeconds(20)));
            assertEquals(List.of(), log.with(LINE));
        }
    }
}
