package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorContext;
import io.fibry.ActorStoppedException;
import io.fibry.Supervisor;
import io.fibry.SupervisorSpec;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An actor becomes visible when it can run, and not before: neither by its name, nor in a dump, nor to a close. */
class StartVisibilityTest extends KernelTest {

    private static final String NAME = "clerk";

    private static final int ROUNDS = 1_000;

    private final Queue<Integer> handled = new ConcurrentLinkedQueue<>();

    private Map<String, Function<ActorBuilder<Object>, Actor<?>>> makers() {
        return Map.of(
                "newActor", builder -> builder.newActor((Integer n) -> handled.add(n)),
                "newActorWithReturn", builder -> builder.newActorWithReturn((Integer n) -> handled.add(n)),
                "newActorFrom", builder -> builder.newActorFrom((ActorContext<Integer> context) -> handled::add),
                "newSink", builder -> builder.newSink(null));
    }

    private boolean isListed() {
        return system.actors().anyMatch(info -> info.name().equals(NAME));
    }

    /** The function that configures the thread runs before the thread exists. */
    @ParameterizedTest
    @ValueSource(strings = {"newActor", "newActorWithReturn", "newActorFrom", "newSink"})
    void anActorIsNotVisibleBeforeItsThreadExists(String maker) {
        List<Object> seen = new ArrayList<>();
        var strategy = ThreadStrategy.platform(thread -> {
            seen.add(system.find(NAME));
            seen.add(system.findWithReturn(NAME));
            seen.add(isListed());
            seen.add(assertThrows(
                            IllegalStateException.class,
                            () -> system.actor(NAME).newSink(null))
                    .getMessage()
                    .contains("taken"));
            return thread;
        });
        Actor<?> actor = makers().get(maker).apply(system.actor(NAME).strategy(strategy));
        assertEquals(List.of(Optional.empty(), Optional.empty(), false, true), seen);
        assertEquals(Optional.of(actor), system.find(NAME));
        assertTrue(isListed());
    }

    @Test
    void messagesToTheAddressOfAStartingActorAreKept() {
        var strategy = ThreadStrategy.platform(thread -> {
            system.<Integer>findOrExpect(NAME, 10).tell(1);
            system.<Integer>findOrExpect(NAME, 10).tell(2);
            return thread;
        });
        Actor<Integer> actor = system.actor(NAME).strategy(strategy).newActor(handled::add);
        actor.tell(3);
        assertTrue(actor.close(Await.LIMIT));
        assertEquals(List.of(1, 2, 3), List.copyOf(handled));
        assertEquals(Optional.empty(), system.find(NAME));
    }

    @Test
    void theStopOfTheAddressOfAStartingActorStopsTheActor() {
        var strategy = ThreadStrategy.platform(thread -> {
            Actor<Integer> address = system.findOrExpect(NAME, 10);
            address.tell(1);
            address.stop();
            return thread;
        });
        Actor<Integer> actor = system.actor(NAME).strategy(strategy).newActor(handled::add);
        Await.end(actor);
        assertEquals(List.of(1), List.copyOf(handled));
        system.actor(NAME).newSink(null);
    }

    /**
     * The lock of the parent delays the thread that makes the child between the reservation of the name and the
     * registration.
     */
    @AllStrategies(direct = true)
    void aChildIsNotVisibleBeforeItsParentHasIt(ThreadStrategy strategy) {
        var parent = system.actor().newSink(null);
        var made = new AtomicReference<@Nullable Actor<Integer>>();
        Lifecycle lock = ActorCell.of(parent).lifecycle();
        lock.lock();
        Thread maker;
        try {
            maker = Thread.ofPlatform()
                    .start(() -> made.set(system.actor(NAME)
                            .strategy(strategy)
                            .childOf(parent)
                            .newActor(handled::add)));
            Await.until("the maker waits for the lock", lock::hasQueuedThreads);
            assertEquals(Optional.empty(), system.find(NAME));
            assertTrue(!isListed());
            system.<Integer>findOrExpect(NAME, 10).tell(1);
        } finally {
            lock.unlock();
        }
        Await.thread(maker);
        assertEquals(Optional.of(made.get()), system.find(NAME));
        assertTrue(parent.close(Await.LIMIT));
        assertEquals(List.of(1), List.copyOf(handled));
        system.actor(NAME).newSink(null);
    }

    @Test
    void aChildOfASupervisorIsNotVisibleBeforeItsThreadExists() {
        List<Object> seen = new ArrayList<>();
        var started = new AtomicReference<@Nullable Supervisor>();
        var strategy = ThreadStrategy.platform(thread -> {
            Supervisor supervisor = started.get();
            seen.add(system.find(NAME));
            seen.add(supervisor == null ? Optional.empty() : supervisor.child(NAME));
            return thread;
        });
        Function<ActorBuilder<Object>, Actor<Integer>> child =
                builder -> builder.strategy(strategy).newActor(handled::add);
        Supervisor supervisor = system.actor()
                .newSupervisor(SupervisorSpec.oneForOne().child(NAME, SupervisorSpec.Restart.PERMANENT, child));
        started.set(supervisor);
        assertTrue(system.find(NAME).isPresent());
        assertTrue(Await.value(supervisor.stop(NAME)));
        Await.value(supervisor.start(NAME, SupervisorSpec.Restart.PERMANENT, child));
        assertEquals(Collections.nCopies(4, Optional.empty()), seen);
        assertTrue(supervisor.close(Await.LIMIT));
    }

    /** A close of the system may end a registered actor before its name is published. */
    @Test
    void theNameOfAnActorThatHasEndedIsNotPublished() {
        var names = new NameRegistry();
        names.reserve(NAME);
        var actor = system.actor().newSink(null);
        actor.close();
        names.publish(NAME, ActorCell.of(actor));
        assertTrue(names.isEmpty());
    }

    // ---- starts that fail

    /** A stack of this size cannot be reserved. */
    private static ThreadStrategy withoutRoom() {
        return ThreadStrategy.platform(thread -> thread.stackSize(1L << 60));
    }

    @Test
    void anActorWhoseThreadCannotStartLeavesNothingBehind() {
        Actor<Integer> address = system.findOrExpect(NAME, 10);
        address.tell(1);
        var parent = system.actor().newSink(null);
        var builder = system.actor(NAME).strategy(withoutRoom());
        assertThrows(OutOfMemoryError.class, () -> builder.newActor(handled::add));
        assertThrows(OutOfMemoryError.class, () -> builder.childOf(parent).newActor(handled::add));
        assertThrows(
                OutOfMemoryError.class,
                () -> system.actor("other").strategy(withoutRoom()).newSink(null));
        assertEquals(Optional.empty(), system.find(NAME));
        assertTrue(!isListed());
        system.actor("other").newSink(null);
        Actor<Integer> actor = system.actor(NAME).newActor(handled::add);
        assertTrue(actor.close(Await.LIMIT));
        assertEquals(List.of(1), List.copyOf(handled));
        assertTrue(parent.close(Await.LIMIT));
        assertTrue(system.close(Await.LIMIT));
    }

    @Test
    void theThreadOfAnActorRefusedByItsParentEnds() {
        var parent = system.actor().newSink(null);
        parent.close();
        var started = new AtomicReference<@Nullable Thread>();
        var strategy = ThreadStrategy.platform(thread -> thread.name("refused " + NAME));
        assertThrows(
                ActorStoppedException.class,
                () -> system.actor(NAME).strategy(strategy).childOf(parent).newSink(null));
        Await.until("the thread has ended", () -> {
            started.set(Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("refused " + NAME))
                    .findAny()
                    .orElse(null));
            return started.get() == null;
        });
        system.actor(NAME).newSink(null);
    }

    // ---- races

    /**
     * A thread that spins on {@code find} for the name of the round, and applies an action once to the actor that it
     * finds.
     */
    private final class Finder implements AutoCloseable {
        private final BiConsumer<Integer, Actor<Integer>> action;
        private volatile int round;
        private volatile boolean ended;
        private final Thread thread = Thread.ofPlatform().unstarted(this::spin);

        Finder(BiConsumer<Integer, Actor<Integer>> action) {
            this.action = action;
            thread.start();
        }

        private void spin() {
            int last = -1;
            while (!ended) {
                int now = round;
                Optional<Actor<Integer>> found = now == last ? Optional.empty() : system.find(NAME + " " + now);
                if (found.isPresent()) {
                    last = now;
                    action.accept(now, found.get());
                }
            }
        }

        @Override
        public void close() {
            ended = true;
            Await.thread(thread);
        }
    }

    @AllStrategies(direct = true)
    void aStartingActorThatIsFoundAcceptsMessages(ThreadStrategy strategy) {
        var failure = new AtomicReference<@Nullable Throwable>();
        var toldIn = new AtomicInteger(-1);
        try (var finder = new Finder((number, actor) -> {
            try {
                actor.tell(number);
            } catch (Throwable t) {
                failure.compareAndSet(null, t);
            }
            toldIn.set(number);
        })) {
            for (int i = 0; i < ROUNDS; i++) {
                int number = i;
                finder.round = i;
                Actor<Integer> actor =
                        system.actor(NAME + " " + i).strategy(strategy).newActor(handled::add);
                Await.soon("round " + i + " is told", () -> toldIn.get() == number);
                assertEquals(null, failure.get(), "round " + i);
                assertTrue(actor.close(Await.LIMIT), "round " + i);
                assertEquals(i, handled.poll());
            }
        }
    }

    /**
     * An actor that ended before its registration would stay registered, and a close of the system would wait for it.
     */
    @AllStrategies(direct = true)
    void aStartingActorThatIsFoundCanBeStopped(ThreadStrategy strategy) {
        var parent = system.actor().newSink(null);
        try (var finder = new Finder((number, actor) -> actor.stop())) {
            for (int i = 0; i < ROUNDS; i++) {
                finder.round = i;
                var builder = system.actor(NAME + " " + i).strategy(strategy);
                Await.end((i % 2 == 0 ? builder.childOf(parent) : builder).newActor(handled::add));
                assertEquals(Optional.empty(), system.find(NAME + " " + i));
            }
        }
        // a child leaves its parent after its exit is known
        Await.until(
                "no child is left",
                () -> ActorCell.of(parent).lifecycle().livingChildren().isEmpty());
        assertTrue(parent.close(Await.LIMIT));
        assertTrue(((LocalSystem) system).registry().isEmpty());
    }

    @AllStrategies(direct = true)
    void noMessageToAnAddressIsLostWhileItsActorStarts(ThreadStrategy strategy) {
        var goOn = new AtomicBoolean(true);
        var told = new AtomicInteger();
        Thread sender = Thread.ofPlatform().start(() -> {
            while (goOn.get()) {
                try {
                    system.<Integer>findOrExpect(NAME, 1_000_000).tell(told.get());
                    told.incrementAndGet();
                } catch (ActorStoppedException refused) {
                    Thread.onSpinWait();
                }
            }
        });
        var count = new AtomicInteger();
        for (int i = 0; i < ROUNDS / 2; i++) {
            Actor<Integer> actor =
                    system.actor(NAME).strategy(strategy).newActor((Integer n) -> count.incrementAndGet());
            actor.stop();
            Await.end(actor);
        }
        goOn.set(false);
        Await.thread(sender);
        Actor<Integer> last = system.actor(NAME).newActor((Integer n) -> count.incrementAndGet());
        assertTrue(last.close(Await.LIMIT));
        assertEquals(told.get(), count.get());
    }
}
