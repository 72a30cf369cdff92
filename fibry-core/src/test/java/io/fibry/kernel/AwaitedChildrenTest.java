package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * A parent waits for the children that it had at one moment, whatever the order of their ends, and for no others.
 *
 * <p>Seen to fail: a list that waits for its last child, or that takes the end of one awaited child for the end of all.
 */
class AwaitedChildrenTest extends KernelTest {

    private final Children children = new Children(new Lifecycle(null, null, ActorOptions.NONE));

    private List<ActorState<?>> add(int count) {
        var added = new ArrayList<ActorState<?>>();
        for (int i = 0; i < count; i++) {
            ActorState<?> child = ActorCell.of(system.actor().newSink(null));
            assertTrue(children.add(child));
            added.add(child);
        }
        return added;
    }

    @Test
    void theLastAwaitedChildEndsTheWaitInAnyOrder() {
        long seed = new Random().nextLong();
        var random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            List<ActorState<?>> awaited = add(1 + random.nextInt(6));
            assertEquals(awaited, children.all());
            assertFalse(children.areGone(awaited));
            List<ActorState<?>> later = add(random.nextInt(3));
            var awaitedLeft = new ArrayList<>(awaited);
            var all = new ArrayList<>(awaited);
            all.addAll(later);
            while (!all.isEmpty()) {
                ActorState<?> gone = all.remove(random.nextInt(all.size()));
                boolean last = awaitedLeft.remove(gone) && awaitedLeft.isEmpty();
                assertEquals(last, children.remove(gone), "seed " + seed + ", round " + round);
                assertFalse(children.remove(gone), "a second time");
                assertEquals(all, children.all());
            }
            assertTrue(children.areGone(awaited));
            assertTrue(children.isEmpty());
        }
    }

    @Test
    void aParentThatWaitsForAllWaitsForTheLast() {
        List<ActorState<?>> all = add(3);
        assertFalse(children.areGone());
        assertFalse(children.remove(all.get(2)));
        assertFalse(children.remove(all.get(0)));
        assertTrue(children.remove(all.get(1)));
        assertTrue(children.areGone());
    }

    /** The hook of a child makes another one, which is not stopped yet when the parent begins to wait. */
    @AllStrategies
    void aRestartStopsAChildThatIsMadeMeanwhile(ThreadStrategy strategy) {
        var gate = new Gate();
        var late = new CopyOnWriteArrayList<Actor<?>>();
        var stopped = new CountDownLatch(1);
        Actor<Runnable> parent =
                actor(strategy).supervision(Supervision.restart()).newActorFrom(context -> Runnable::run);
        Actor<Integer> child = actor(strategy)
                .childOf(parent)
                .onStopRequested(mode -> {
                    late.add(actor(strategy).childOf(parent).newActor((Integer n) -> {}));
                    stopped.countDown();
                })
                .newActor(n -> gate.pass());
        child.tell(1);
        gate.awaitReached();
        parent.tell(() -> {
            throw new IllegalStateException("thrown on purpose");
        });
        Await.latch(stopped);
        gate.open();
        var handled = new CountDownLatch(1);
        parent.tell(handled::countDown);
        Await.latch(handled);
        Await.end(late.getFirst());
    }
}
