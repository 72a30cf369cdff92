package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.InContext;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Actors that close, and therefore wait for, each other from inside still end. */
class MutualCloseTest extends KernelTest {

    @AllStrategies
    void twoThatCloseEachOtherEnd(ThreadStrategy strategy) {
        ringOf(2, strategy);
    }

    @Test
    void aRingOfClosingActorsEnds() {
        ringOf(4, ThreadStrategy.virtual());
    }

    private void ringOf(int size, ThreadStrategy strategy) {
        List<Actor<Integer>> ring = new ArrayList<>();
        var allRunning = new CountDownLatch(size);
        var returned = new CountDownLatch(size);
        for (int i = 0; i < size; i++) {
            int next = (i + 1) % size;
            ring.add(actor(strategy).newActor((Integer n) -> {
                allRunning.countDown();
                Await.latch(allRunning);
                ring.get(next).close(Duration.ofMillis(10));
                returned.countDown();
            }));
        }
        ring.forEach(actor -> actor.tell(1));
        ring.forEach(Await::end);
        Await.latch(returned);
        ring.forEach(actor -> assertEquals(1, Await.end(actor).handled()));
    }

    @Test
    void aParentAndAnotherActorThatCloseEachOtherEnd() {
        var running = new CountDownLatch(2);
        var parent = InContext.actor(system.actor());
        var other = InContext.actor(system.actor());
        var child = InContext.actor(system.actor().childOf(parent));
        child.tell(context -> {
            running.countDown();
            Await.latch(running);
            other.close(Duration.ofMillis(10));
        });
        other.tell(context -> {
            running.countDown();
            Await.latch(running);
            parent.close(Duration.ofMillis(10));
        });
        for (Actor<?> actor : List.of(parent, other, child)) {
            Await.end(actor);
        }
    }
}
