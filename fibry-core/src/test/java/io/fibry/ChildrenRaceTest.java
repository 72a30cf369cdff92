package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Phaser;
import org.jspecify.annotations.Nullable;

/** Children that are made while their parent, or their system, ends. */
class ChildrenRaceTest extends KernelTest {

    @AllStrategies
    void aChildMadeWhileItsParentStopsIsRefusedOrEnds(ThreadStrategy strategy) {
        var random = new Random(20_260_105);
        for (int round = 0; round < 300; round++) {
            StopMode mode = random.nextBoolean() ? StopMode.DRAIN : StopMode.INTERRUPT;
            var parent = actor(strategy).newSink(null);
            List<Actor<?>> children =
                    together(() -> actor(strategy).childOf(parent).newSink(null), () -> {
                        parent.stop(mode);
                        return parent;
                    });
            Await.end(parent);
            for (Actor<?> child : children) {
                assertTrue(child.exit().isDone(), "a child ends before its parent");
            }
        }
        assertCloses(system);
    }

    @AllStrategies
    void anActorMadeWhileItsSystemClosesIsRefusedOrEnds(ThreadStrategy strategy) {
        for (int round = 0; round < 100; round++) {
            var closing = ActorSystem.create(strategy);
            List<Actor<?>> made = together(() -> closing.actor("clerk").newSink(null), () -> {
                closing.close(Await.LIMIT);
                return null;
            });
            for (Actor<?> actor : made) {
                if (actor != null) {
                    actor.stop();
                    Await.end(actor);
                }
            }
            assertCloses(closing);
        }
    }

    private interface Making {
        Actor<?> make();
    }

    /** The actors that two threads make at about the same time; a refused thread makes none. */
    private static List<Actor<?>> together(Making one, Making two) {
        List<Actor<?>> made = Collections.synchronizedList(new ArrayList<>());
        var start = new Phaser(2);
        var results = new ArrayList<CompletableFuture<@Nullable Void>>();
        for (Making making : List.of(one, two)) {
            results.add(CompletableFuture.runAsync(
                    () -> {
                        start.arriveAndAwaitAdvance();
                        try {
                            made.add(making.make());
                        } catch (ActorStoppedException refused) {
                            assertTrue(refused.getMessage().contains("stopped"));
                        } catch (IllegalStateException closed) {
                            assertTrue(closed.getMessage().contains("closed"), closed::getMessage);
                        }
                    },
                    task -> Thread.ofPlatform().daemon().start(task)));
        }
        results.forEach(Await::value);
        return made;
    }

    private static void assertCloses(ActorSystem system) {
        var closer = Thread.ofPlatform().daemon().start(() -> system.close(Duration.ofSeconds(5)));
        Await.thread(closer);
        assertEquals(Thread.State.TERMINATED, closer.getState());
    }
}
