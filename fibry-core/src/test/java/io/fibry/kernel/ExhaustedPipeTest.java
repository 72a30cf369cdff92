package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.DeepStack;
import io.fibry.testing.InContext;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code pipeToSelf} when stack or memory runs out: results reach the actor, and a drain of the actor ends. */
class ExhaustedPipeTest extends KernelTest {

    private static final int DEPTHS = 300;

    /** With less stack, the JDK may lose the result itself. */
    private static final int FRAMES_NEEDED = 64;

    /** A stage, and the actor that awaits its result. */
    private static final class Piped {

        final CompletableFuture<Integer> stage = new CompletableFuture<>();
        final CompletableFuture<Integer> result = new CompletableFuture<>();
        final Actor<InContext.Code> actor;
        boolean isCompleted;
        boolean hadStack;

        Piped(ActorBuilder<Object> builder) {
            actor = InContext.actor(builder);
            CompletableFuture<Integer> unused = stage.whenComplete((value, failure) -> {
                DeepStack.need(FRAMES_NEEDED);
                hadStack = true;
            });
            InContext.run(
                    actor,
                    context -> context.pipeToSelf(stage, (value, failure) -> c -> {
                        result.complete(value);
                    }));
        }

        void complete() {
            try {
                isCompleted = stage.complete(1);
            } catch (StackOverflowError e) {
                // the JDK itself needs more stack
            }
        }
    }

    @AllStrategies
    void theResultOfAStageThatIsCompletedDeepInARecursionArrives(ThreadStrategy strategy) throws InterruptedException {
        linkTimers();
        for (UnaryOperator<ActorBuilder<Object>> mailbox : mailboxes()) {
            List<Piped> all = Stream.generate(() -> new Piped(mailbox.apply(actor(strategy))))
                    .limit(DEPTHS)
                    .toList();
            all.getLast().complete(); // loads and links the code, which must not fail because of a short stack
            int tried = DeepStack.onSmallStack(
                    () -> DeepStack.runAtAllDepths(DEPTHS - 1, i -> all.get(i).complete()));
            List<Piped> called = all.subList(0, tried).stream()
                    .filter(piped -> piped.isCompleted && piped.hadStack)
                    .toList();
            assertTrue(called.size() > 10 && called.size() < tried, called.size() + " of " + tried);
            for (Piped piped : called) {
                assertEquals(1, Await.value(piped.result));
                assertTrue(piped.actor.close(Duration.ofSeconds(30)));
            }
        }
    }

    @AllStrategies
    void aStageThatThrowsInsteadOfTakingADependentIsNotAwaited(ThreadStrategy strategy) {
        var stage = new CompletableFuture<Integer>() {
            @Override
            public CompletableFuture<Integer> whenComplete(
                    BiConsumer<? super Integer, ? super @Nullable Throwable> action) {
                throw new IllegalStateException("on purpose");
            }
        };
        var actor = InContext.actor(actor(strategy));
        InContext.run(
                actor,
                context -> assertThrows(
                        IllegalStateException.class, () -> context.pipeToSelf(stage, (value, failure) -> c -> {})));
        assertTrue(actor.close(Duration.ofSeconds(30)));
    }

    /** Loads and links the code of alarms. */
    private void linkTimers() {
        var actor = InContext.actor(system.actor());
        var tick = new CompletableFuture<Integer>();
        actor.tell(context -> context.after(Duration.ZERO, c -> tick.complete(1)));
        Await.value(tick);
    }
}
