package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.ActorSystem;
import io.fibry.StopMode;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.dispatch.ActorLock;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.InContext;
import io.fibry.testing.InContext.Code;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import io.fibry.testing.ServerConsole;
import io.fibry.testing.ServerProcess;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * {@code watch} and {@code unwatch}. An end is reported after {@code exit()} has completed, so these tests wait for the
 * report.
 */
class WatchTest extends KernelTest {

    private final List<String> seen = Collections.synchronizedList(new ArrayList<>());

    @AllStrategies
    void anEndIsReportedOnceAndAfterTheLastMessages(ThreadStrategy strategy) {
        Actor<Object> watcher = actor(strategy).newActorFrom(context -> message -> {
            if (message instanceof Actor<?> other) {
                context.watch(other, exit -> seen.add("end, " + exit.reason()));
            } else {
                seen.add((String) message);
            }
        });
        Actor<String> target = actor(strategy).newActor((String text) -> watcher.tell(text));
        watcher.tell(target);
        target.tell("one");
        target.tell("two");
        target.stop();
        awaitSeen(3);
        assertEquals(0, watchersOf(target)); // otherwise a handle to an ended actor would retain its notified watchers
        target.stop(StopMode.INTERRUPT);
        watcher.close();
        assertEquals(List.of("one", "two", "end, NORMAL"), seen);
    }

    @AllStrategies(direct = true)
    void aLateWatcherIsNotified(ThreadStrategy strategy) {
        var target = actor(strategy).supervision(Supervision.stop()).newActorWithReturn((Integer n) -> 1 / n);
        assertThrows(AssertionError.class, () -> Await.value(target.ask(0)));
        Await.end(target);
        var watcher = InContext.actor(actor(strategy));
        var told = new CompletableFuture<ActorExit>();
        watcher.tell(context -> context.watch(target, exit -> {
            seen.add("told");
            told.complete(exit);
        }));
        assertSame(Await.end(target).cause(), Await.value(told).cause());
        watcher.close();
        assertEquals(List.of("told"), seen);
    }

    @AllStrategies(direct = true)
    void watchingAgainReplacesTheCode(ThreadStrategy strategy) {
        var target = actor(strategy).newSink(null);
        var watcher = InContext.actor(actor(strategy));
        InContext.run(watcher, context -> {
            context.watch(target, exit -> seen.add("first"));
            context.watch(target, exit -> seen.add("second"));
        });
        assertEquals(1, watchersOf(target));
        target.stop();
        awaitSeen(1);
        watcher.tell(
                context -> { // and of two late calls, only the second is notified
                    context.watch(target, exit -> seen.add("third"));
                    context.watch(target, exit -> seen.add("fourth"));
                });
        awaitSeen(2);
        watcher.close();
        assertEquals(List.of("second", "fourth"), seen);
    }

    @AllStrategies(direct = true)
    void unwatchRemovesAQueuedEnd(ThreadStrategy strategy) {
        var ended = actor(strategy).newSink(null);
        ended.close();
        var target = actor(strategy).newSink(null);
        var watcher = InContext.actor(actor(strategy));
        InContext.run(watcher, context -> {
            context.watch(ended, exit -> seen.add("taken back"));
            context.unwatch(ended); // the end is in the mailbox by now
            context.watch(target, exit -> seen.add("taken back"));
            context.unwatch(target);
            context.unwatch(target);
        });
        assertEquals(0, watchersOf(target));
        target.close();
        watcher.close();
        assertEquals(List.of(), seen);
    }

    @AllStrategies
    void anEndIsReportedOnceInAnyRaceWithTheWatch(ThreadStrategy strategy) {
        long seed = 20_261_101;
        var random = new Random(seed);
        int rounds = 500;
        var told = new AtomicInteger[rounds];
        var watcher = InContext.actor(actor(strategy));
        for (int i = 0; i < rounds; i++) {
            var count = new AtomicInteger();
            told[i] = count;
            var target = actor(strategy).newSink(null);
            watcher.tell(context -> context.watch(target, exit -> count.incrementAndGet()));
            for (int spins = random.nextInt(3_000); spins > 0; spins--) {
                Thread.onSpinWait();
            }
            target.stop();
        }
        Await.until("all are told", () -> Collections.frequency(counts(told), 0) == 0);
        watcher.close();
        assertEquals(Collections.nCopies(rounds, 1), counts(told), "seed " + seed);
    }

    @AllStrategies(direct = true)
    void aWatcherThatEndsFirstLeavesNothingBehind(ThreadStrategy strategy) {
        var target = actor(strategy).newSink(null);
        var watcher = InContext.actor(actor(strategy));
        InContext.run(watcher, context -> context.watch(target, exit -> seen.add("never")));
        assertEquals(1, watchersOf(target));
        var context = InContext.of(watcher);
        watcher.close();
        assertEquals(0, watchersOf(target));
        context.watch(target, exit -> seen.add("never"));
        assertEquals(0, watchersOf(target));
        target.close();
        assertEquals(List.of(), seen);
    }

    @Test
    void aWatchConcurrentWithTheEndOfTheWatcherLeavesNothingBehind() {
        long seed = 20_261_107;
        var random = new Random(seed);
        var target = system.actor().newSink(null);
        for (int round = 0; round < 3_000; round++) {
            var watcher = InContext.actor(system.actor());
            var context = InContext.of(watcher);
            int spins = random.nextInt(4_000);
            watcher.stop();
            for (int i = 0; i < spins; i++) {
                Thread.onSpinWait();
            }
            context.watch(target, exit -> {});
            Await.end(watcher);
            assertEquals(0, watchersOf(target), "seed " + seed + ", round " + round);
        }
    }

    /**
     * The holder of the target's lock delays the entry in the list of the target, but not in the list of the watcher.
     */
    @Test
    void aWatchRemovedBeforeItsRegistrationLeavesNothingBehind() {
        var target = system.actor().newSink(null);
        var watcher = InContext.actor(system.actor());
        var context = InContext.of(watcher);
        ActorLock lock = ActorCell.of(target).lifecycle();
        Thread late;
        lock.lock();
        try {
            late = Thread.ofPlatform().start(() -> context.watch(target, exit -> seen.add("never")));
            Await.until("it is about to be known", lock::hasQueuedThreads);
            context.unwatch(target);
        } finally {
            lock.unlock();
        }
        Await.thread(late);
        assertEquals(0, watchersOf(target));
        target.close();
        watcher.close();
        assertEquals(List.of(), seen);
    }

    @AllStrategies(direct = true)
    void anExceptionOfTheCodeIsAFailureOfTheWatcher(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var failure = new IllegalStateException("thrown on purpose");
            var target = actor(strategy).newSink(null);
            var watcher =
                    InContext.actor(system.actor("guard").strategy(strategy).supervision(Supervision.stop()));
            InContext.run(
                    watcher,
                    context -> context.watch(target, exit -> {
                        throw failure;
                    }));
            target.stop();
            ActorExit exit = Await.end(watcher);
            assertSame(failure, exit.cause());
            assertEquals(2, exit.handled()); // the message that begins the watch, and the end
            assertEquals(1, exit.failed());
            assertEquals(1, log.with("ERROR", "guard").size(), log::text);
        }
    }

    @Test
    void invalidTargetsAreRefused() {
        var watcher = InContext.actor(system.actor());
        InContext.run(watcher, context -> {
            assertThrows(IllegalArgumentException.class, () -> context.watch(context.self(), exit -> {}));
            assertThrows(NullPointerException.class, () -> context.watch(null, exit -> {}));
            Actor<Code> expected = system.findOrExpect("nobody", 1);
            assertThrows(IllegalArgumentException.class, () -> context.watch(expected, exit -> {}));
            expected.stop();
        });
    }

    @Test
    void aMillionShortLivedActorsAreWatchedInALittleHeap() throws Exception {
        try (var process = ServerProcess.startWith(List.of("-Xmx48m"), Million.class)) {
            assertEquals(Million.COUNT, process.number("told"));
            assertEquals(0, process.awaitEnd());
        }
    }

    /** A watcher that makes and watches them, each a child of its own. */
    static final class Million {

        static final int COUNT = 1_000_000;

        public static void main(String[] arguments) throws Exception {
            int atATime = 1_000;
            var told = new AtomicInteger();
            var room = new Semaphore(atATime);
            var system = ActorSystem.create();
            var watcher = InContext.actor(system.actor());
            for (int i = 0; i < COUNT; i++) {
                room.acquire();
                watcher.tell(context -> {
                    var child = context.spawn().newActor((Integer n) -> {});
                    context.watch(child, exit -> {
                        told.incrementAndGet();
                        room.release();
                    });
                    child.tell(1);
                    child.stop();
                });
            }
            room.acquire(atATime);
            ServerConsole.run(0, Map.of("told", told::get));
        }
    }

    private void awaitSeen(int count) {
        Await.until(count + " are seen", () -> seen.size() == count);
    }

    private static int watchersOf(Actor<?> actor) {
        return ActorCell.of(actor).lifecycle().watchers().count();
    }

    private static List<Integer> counts(AtomicInteger[] counters) {
        return List.of(counters).stream().map(AtomicInteger::get).toList();
    }
}
