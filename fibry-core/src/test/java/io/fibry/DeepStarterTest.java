package io.fibry;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.DeepStack;
import io.fibry.testing.KernelTest;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Threads so deep in a recursion that the start of an actor exhausts the stack: the start has no effect then. */
class DeepStarterTest extends KernelTest {

    private static final int DEPTHS = 80;

    /** The number of starts at each depth. Each of them is one frame deeper than the previous one. */
    private static final int FRAMES = 24;

    /** The frames of a factory that needs more stack than a start requires. */
    private static final int FRAMES_OF_FACTORY = 400;

    @AllStrategies
    void aFailedStartLeavesNoNameNoChildAndNoLock(ThreadStrategy strategy) throws InterruptedException {
        check(strategy, 1, builder -> builder.newActor(message -> {}));
        check(strategy, 1, builder -> builder.newActorFrom(context -> message -> {}));
        check(strategy, 1, builder -> builder.runOnce(() -> {}));
    }

    @Test
    void aFactoryThatExhaustsTheStackLeavesNoNameAndNoChild() throws InterruptedException {
        check(
                ThreadStrategy.virtual(),
                FRAMES,
                builder -> builder.newActorFrom(context -> {
                    DeepStack.need(FRAMES_OF_FACTORY);
                    return message -> {};
                }));
    }

    /** Starts children at all depths. The parent then ends only if all of its children have ended. */
    private void check(ThreadStrategy strategy, int frames, Function<ActorBuilder<Object>, Actor<?>> start)
            throws InterruptedException {
        Actor<Object> parent = system.actor().newActor(message -> {});
        List<ActorBuilder<Object>> builders = IntStream.rangeClosed(0, DEPTHS * frames)
                .mapToObj(i -> system.actor("child" + i).strategy(strategy).childOf(parent))
                .toList();
        start.apply(builders.getLast()).stop(); // loads and links the code, which must not fail for lack of stack
        var started = new Actor<?>[DEPTHS * frames];
        int depths = DeepStack.onSmallStack(() -> DeepStack.runAtAllDepths(DEPTHS, depth -> {
            for (int frame = 0; frame < frames; frame++) {
                int i = depth * frames + frame;
                startAt(frame, i, builders.get(i), start, started);
            }
        }));
        int failed = 0;
        for (int i = 0; i < depths * frames; i++) {
            Actor<?> actor = started[i];
            if (actor == null) {
                failed++;
                actor = start.apply(builders.get(i)); // fails if the name is not free
            }
            actor.stop();
            Await.end(actor);
        }
        assertTrue(failed > 0 && failed < depths * frames, failed + " of " + depths * frames);
        parent.stop();
        Await.end(parent);
    }

    private static void startAt(
            int frames,
            int index,
            ActorBuilder<Object> builder,
            Function<ActorBuilder<Object>, Actor<?>> start,
            Actor<?>[] started) {
        try {
            if (frames == 0) {
                started[index] = start.apply(builder);
            } else {
                startAt(frames - 1, index, builder, start, started);
            }
        } catch (StackOverflowError e) {
            return; // not started
        }
    }
}
