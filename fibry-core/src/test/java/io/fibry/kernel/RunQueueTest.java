package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import io.fibry.dispatch.Worker;
import io.fibry.testing.Await;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The actors in the queue of a worker: those that it has made ready, except for the next one. */
class RunQueueTest {

    private static final int ACTORS = 200;

    private final Queue<Runnable> started = new ConcurrentLinkedQueue<>();
    private final LocalSystem detached = DetachedSystems.system(started::add);
    private final List<String> handled = Collections.synchronizedList(new ArrayList<>());

    /**
     * The handler waits outside the kernel, so its worker takes no other actor.
     *
     * <p>Seen to fail: a worker that takes no queued actor of another one.
     */
    @Test
    void aBlockedHandlerDelaysNoneOfTheActorsItHasMadeReady() {
        try (ActorSystem system = ActorSystem.create()) {
            for (int round = 0; round < 50; round++) {
                var told = new CountDownLatch(ACTORS);
                var done = new CountDownLatch(1);
                system.actor()
                        .newActor((String message) -> {
                            for (int i = 0; i < ACTORS; i++) {
                                system.actor()
                                        .newActor(CountDownLatch::countDown)
                                        .tell(told);
                            }
                            Await.latch(told);
                            done.countDown();
                        })
                        .tell("go");
                Await.latch(done);
            }
        }
    }

    /**
     * All handlers block: each of the first ones runs the next spare.
     *
     * <p>Seen to fail: a spare that always begins with the shared queue, and one that always begins with the queued
     * actors.
     */
    @Test
    void sparesTakeSharedActorsAndThoseOfABlockedWorkerByTurns() {
        int spares = 8;
        Runnable handler = () -> {
            if (handled.size() < spares) {
                DetachedSystems.runElsewhere(started.remove());
            }
        };
        List<Actor<String>> shared = actors(spares, "shared", handler);
        List<Actor<String>> queued = actors(spares, "queued", handler);
        Actor<String> blocked = detached.actor().newActor((String message) -> {
            queued.forEach(actor -> actor.tell("from a worker"));
            DetachedSystems.runElsewhere(() -> shared.forEach(actor -> actor.tell("from outside")));
            DetachedSystems.runElsewhere(started.remove());
        });

        blocked.tell("go");
        DetachedSystems.runElsewhere(started.remove());

        for (int i = 0; i < spares; i += 2) {
            assertEquals(Set.of("shared", "queued"), Set.copyOf(handled.subList(i, i + 2)), handled::toString);
        }
    }

    /**
     * The queued actors always have another message for themselves.
     *
     * <p>Seen to fail: a worker that always takes queued actors before shared ones, and one that does the opposite.
     */
    @Test
    void queuedAndSharedActorsTakeTurns() {
        int turns = 40;
        List<Actor<String>> shared = actors(turns, "shared", () -> {});
        List<Actor<Integer>> queued = Stream.of(1, 2).map(i -> busyActor()).toList();
        Actor<String> first = detached.actor().newActor((String message) -> {
            queued.forEach(actor -> actor.tell(turns * ActorCell.BATCH));
            DetachedSystems.runElsewhere(() -> shared.forEach(actor -> actor.tell("from outside")));
        });

        first.tell("go");
        DetachedSystems.runElsewhere(started.remove());

        for (String kind : List.of("shared", "queued")) {
            long part = handled.stream().limit(turns).filter(kind::equals).count();
            assertTrue(part > turns / 4, handled::toString);
        }
    }

    /** An actor that sends the next smaller number to itself, and records about one number in each turn. */
    private Actor<Integer> busyActor() {
        return detached.actor().newActorFrom(context -> n -> {
            if (n % ActorCell.BATCH == 0) {
                handled.add("queued");
            }
            if (n > 0) {
                context.self().tell(n - 1);
            }
        });
    }

    /**
     * The worker ends after {@code Worker.TURNS_PER_YIELD} turns, because a spare has been started.
     *
     * <p>Seen to fail: a spare that has found work and claims no run queue.
     */
    @Test
    void aSpareContinuesTheQueueOfAWorkerThatHasEnded() {
        List<Actor<String>> shared = actors(ACTORS, "shared", () -> {});
        List<Actor<String>> queued = actors(ACTORS, "queued", () -> {});
        Actor<String> first = detached.actor().newActor((String message) -> {
            queued.forEach(actor -> actor.tell("from a worker"));
            DetachedSystems.runElsewhere(() -> shared.forEach(actor -> actor.tell("from outside")));
        });

        first.tell("go");
        DetachedSystems.runElsewhere(started.remove());
        long byFirst = handledOfKind("queued");
        DetachedSystems.runElsewhere(started.remove());

        long bySecond = handledOfKind("queued") - byFirst;
        assertTrue(bySecond > byFirst / 2, () -> byFirst + " by the first worker, " + bySecond + " by the second");
    }

    private long handledOfKind(String kind) {
        return handled.stream().filter(kind::equals).count();
    }

    /**
     * Two workers are blocked, and an actor is in the queue of the first one, which has no next actor: it runs on its
     * stack.
     *
     * <p>Seen to fail: a spare that found work checks the shared queue and the next actors only.
     */
    @Test
    void aSpareThatFoundWorkChecksTheQueuesToo() {
        List<Boolean> startedByFirst = new ArrayList<>();
        List<Actor<String>> queued = actors(2, "queued", () -> startedByFirst.add(!started.isEmpty()));
        ReplyActor<String, Thread> next = detached.actor().newActorWithReturn((String message) -> {
            DetachedSystems.runElsewhere(started.remove());
            return Thread.currentThread();
        });
        var inPlace = new AtomicBoolean();
        Actor<String> blocked = detached.actor().newActor((String message) -> {
            queued.forEach(actor -> actor.tell("from a worker"));
            inPlace.set(next.call("go").equals(Thread.currentThread()));
        });

        blocked.tell("go");
        DetachedSystems.runElsewhere(started.remove());

        assertTrue(inPlace.get());
        assertTrue(startedByFirst.getFirst());
    }

    /**
     * The handler is so deep in a recursion that the call fails.
     *
     * <p>Seen to fail: a call that requires no stack before it takes the next actor.
     */
    @Test
    void aWaitThatRunsOutOfStackDoesNotLoseTheNextActor() {
        try (ActorSystem system = ActorSystem.create()) {
            for (int round = 0; round < 50; round++) {
                var next = new CountDownLatch(1);
                system.actor()
                        .newActor((String message) -> {
                            system.actor().newActor(CountDownLatch::countDown).tell(next);
                            waitAtTheEndOfTheStack(Integer.MAX_VALUE);
                        })
                        .tell("go");
                Await.latch(next);
            }
        }
    }

    private static void waitAtTheEndOfTheStack(int depth) {
        try {
            if (depth > 0) {
                waitAtTheEndOfTheStack(depth - 1);
            }
        } catch (StackOverflowError e) {
            Worker.beforeWait(); // fails in the last frames, which leave no room for it
        }
    }

    private List<Actor<String>> actors(int number, String kind, Runnable handler) {
        List<Actor<String>> actors = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            actors.add(detached.actor().newActor((String message) -> {
                handled.add(kind);
                handler.run();
            }));
        }
        return actors;
    }
}
