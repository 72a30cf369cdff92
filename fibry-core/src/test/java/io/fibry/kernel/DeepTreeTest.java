package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorExit;
import io.fibry.StopMode;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.Rounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Families with more generations than a stack has frames. Operations on all of them must neither recurse nor take
 * quadratic time. The executor that runs everything on the sender's thread is the hardest case: an unprotected
 * implementation makes each end and each message a call inside the previous one.
 */
class DeepTreeTest extends KernelTest {

    /** A recursion overflows the stack with fewer; quadratic time is noticed only at full size. */
    private static final int LEVELS = Rounds.of(30_000, 100_000);

    private final AtomicInteger ended = new AtomicInteger();

    static Stream<Named<ThreadStrategy>> strategies() {
        return Stream.of(
                Named.of("virtual", ThreadStrategy.virtual()),
                Named.of("pool, Runnable::run", ThreadStrategy.pool(Runnable::run)));
    }

    private ActorBuilder<Object> counted(ThreadStrategy strategy) {
        return actor(strategy).onStop(exit -> ended.incrementAndGet());
    }

    /** A root, its child, a grandchild, and so on; the last one runs the code of its messages. */
    private List<Actor<Runnable>> chain(ThreadStrategy strategy, int length) {
        var chain = new ArrayList<Actor<Runnable>>(length);
        chain.add(counted(strategy).newActor(Runnable::run));
        extend(chain, strategy, length);
        return chain;
    }

    private void extend(List<Actor<Runnable>> chain, ThreadStrategy strategy, int length) {
        while (chain.size() < length) {
            chain.add(counted(strategy)
                    .supervision(Supervision.escalate())
                    .childOf(chain.getLast())
                    .newActor(Runnable::run));
        }
    }

    private void assertAllEnded(Actor<?> root, int count) {
        Await.end(root);
        assertEquals(count, ended.get());
    }

    // ---- stop

    @ParameterizedTest
    @MethodSource("strategies")
    void aChainStopsFromOutside(ThreadStrategy strategy) {
        int all = 0;
        for (StopMode mode : StopMode.values()) {
            var chain = chain(strategy, LEVELS);
            chain.getFirst().stop(mode);
            assertAllEnded(chain.getFirst(), all += LEVELS);
        }
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void aChainStopsFromWithinItsLastActor(ThreadStrategy strategy) {
        int all = 0;
        for (StopMode mode : StopMode.values()) {
            var chain = chain(strategy, LEVELS);
            chain.getLast().tell(() -> chain.getFirst().stop(mode));
            assertAllEnded(chain.getFirst(), all += LEVELS);
        }
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void aWideAndDeepTreeStops(ThreadStrategy strategy) {
        long seed = new Random().nextLong();
        var random = new Random(seed);
        int all = 0;
        for (StopMode mode : StopMode.values()) {
            var tree = chain(strategy, LEVELS / 2);
            while (tree.size() < LEVELS) {
                var parent = tree.get(random.nextBoolean() ? random.nextInt(tree.size()) : random.nextInt(10));
                tree.add(counted(strategy).childOf(parent).newActor(Runnable::run));
            }
            tree.get(random.nextInt(tree.size()))
                    .tell(() -> tree.get(random.nextInt(10)).stop(mode));
            tree.getFirst().stop(mode);
            Await.end(tree.getFirst());
            assertEquals(all += LEVELS, ended.get(), "seed " + seed);
        }
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void aDiscardingStopHasReachedAllWhenItReturns(ThreadStrategy strategy) {
        var gate = new Gate();
        var chain = chain(strategy, 2);
        var blocked = system.actor().childOf(chain.getLast()).newActor((Integer n) -> gate.pass());
        blocked.tell(1);
        gate.awaitReached();
        chain.set(1, system.actor().childOf(blocked).newActor(Runnable::run));
        extend(chain, strategy, LEVELS);
        blocked.stop(StopMode.DISCARD);
        for (var actor : chain.subList(1, LEVELS)) {
            assertEquals(StopMode.DISCARD, ActorCell.of(actor).lifecycleMode());
        }
        gate.open();
        chain.getFirst().stop();
        Await.end(chain.getFirst());
    }

    // ---- close

    @ParameterizedTest
    @MethodSource("strategies")
    void aChainCloses(ThreadStrategy strategy) {
        var chain = chain(strategy, LEVELS);
        assertTrue(chain.getFirst().close(Await.LIMIT));
        assertAllEnded(chain.getFirst(), LEVELS);
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void aSystemWithAChainCloses(ThreadStrategy strategy) {
        var chain = chain(strategy, LEVELS);
        chain.getLast().tell(() -> {});
        assertTrue(system.close(Await.LIMIT));
        assertAllEnded(chain.getFirst(), LEVELS);
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void aSystemWithAChainClosesAtOnce(ThreadStrategy strategy) {
        var chain = chain(strategy, LEVELS);
        boolean unused = system.close(Duration.ZERO); // forces the stop
        assertTrue(system.close(Await.LIMIT));
        assertAllEnded(chain.getFirst(), LEVELS);
    }

    // ---- failures

    @ParameterizedTest
    @MethodSource("strategies")
    void theRestartOfARootEndsTheChainBelow(ThreadStrategy strategy) {
        var made = new AtomicInteger();
        var chain = new ArrayList<Actor<Runnable>>();
        chain.add(actor(strategy).supervision(Supervision.restart()).newActorFrom(context -> {
            made.incrementAndGet();
            return Runnable::run;
        }));
        extend(chain, strategy, LEVELS);
        chain.getFirst().tell(() -> {
            throw new IllegalStateException("thrown on purpose");
        });
        var handled = new CountDownLatch(1);
        chain.getFirst().tell(handled::countDown);
        Await.latch(handled);
        assertEquals(2, made.get());
        assertEquals(LEVELS - 1, ended.get());
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void aFailureEscalatesThroughAllLevels(ThreadStrategy strategy) {
        var chain = new ArrayList<Actor<Runnable>>();
        chain.add(counted(strategy).supervision(Supervision.stop()).newActor(Runnable::run));
        extend(chain, strategy, LEVELS);
        chain.getLast().tell(() -> {
            throw new IllegalStateException("thrown on purpose");
        });
        assertAllEnded(chain.getFirst(), LEVELS);
        assertEquals(ActorExit.Reason.FAILED, Await.end(chain.getFirst()).reason());
    }

    // ---- sequences of ends

    @ParameterizedTest
    @MethodSource("strategies")
    void linkedActorsEndInSequence(ThreadStrategy strategy) {
        var chain = new ArrayList<Actor<Runnable>>();
        for (int i = 0; i < LEVELS; i++) {
            chain.add(counted(strategy).newActor(Runnable::run));
            if (i > 0) {
                Link.join(ActorCell.of(chain.get(i - 1)), ActorCell.of(chain.get(i)));
            }
        }
        chain.getFirst().stop();
        assertAllEnded(chain.getLast(), LEVELS);
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void watchersEndInSequence(ThreadStrategy strategy) {
        var chain = new ArrayList<Actor<Actor<?>>>();
        for (int i = 0; i < LEVELS; i++) {
            chain.add(counted(strategy)
                    .newActorFrom(context ->
                            other -> context.watch(other, exit -> context.self().stop())));
            if (i > 0) {
                chain.get(i).tell(chain.get(i - 1));
            }
        }
        chain.getFirst().stop();
        assertAllEnded(chain.getLast(), LEVELS);
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void resourcesEndInSequence(ThreadStrategy strategy) {
        Actor<Runnable> first = counted(strategy).newActor(Runnable::run);
        Actor<Runnable> last = first;
        for (int i = 1; i < LEVELS; i++) {
            Actor<Runnable> next = counted(strategy).newActor(Runnable::run);
            last.closeOnExit(next);
            last = next;
        }
        first.stop();
        assertAllEnded(last, LEVELS);
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void hooksThatStopOthersReachAll(ThreadStrategy strategy) {
        var chain = new ArrayList<Actor<Runnable>>();
        for (int i = 0; i < LEVELS; i++) {
            int next = i + 1;
            chain.add(counted(strategy)
                    .onStopRequested(mode -> {
                        if (next < LEVELS) {
                            chain.get(next).stop();
                        }
                    })
                    .newActor(Runnable::run));
        }
        chain.getFirst().stop();
        Await.until("all have ended", () -> ended.get() == LEVELS);
    }

    // ---- messages

    @ParameterizedTest
    @MethodSource("strategies")
    void allDescendantsReachTheRootWhileItDrains(ThreadStrategy strategy) {
        var heard = new AtomicInteger();
        Actor<Integer> root = actor(strategy).newActor(n -> heard.incrementAndGet());
        Actor<?> last = root;
        for (int i = 0; i < LEVELS; i++) {
            last = actor(strategy).onStop(exit -> root.tell(1)).childOf(last).newActor((Integer n) -> {});
        }
        root.stop();
        Await.end(root);
        assertEquals(LEVELS, heard.get());
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void manyChildrenReachTheirParentWhileItDrains(ThreadStrategy strategy) {
        var heard = new AtomicInteger();
        Actor<Integer> parent = actor(strategy).newActor(n -> heard.incrementAndGet());
        for (int i = 0; i < LEVELS; i++) {
            actor(strategy).onStop(exit -> parent.tell(1)).childOf(parent).newActor((Integer n) -> {});
        }
        parent.stop();
        Await.end(parent);
        assertEquals(LEVELS, heard.get());
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void aMessagePassesThroughALongChain(ThreadStrategy strategy) {
        var passed = new CountDownLatch(1);
        Actor<Integer> next = actor(strategy).newActor(n -> passed.countDown());
        for (int i = 0; i < LEVELS; i++) {
            Actor<Integer> target = next;
            next = actor(strategy).newActor(target::tell);
        }
        next.tell(1);
        Await.latch(passed);
    }
}
