package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorStoppedException;
import io.fibry.ReplyActor;
import io.fibry.StopMode;
import io.fibry.Supervision;
import io.fibry.Supervisor;
import io.fibry.SupervisorSpec;
import io.fibry.SupervisorSpec.Restart;
import io.fibry.SystemStats;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Actors of every policy fail repeatedly, below parents and supervisors of every kind, and are stopped at random
 * moments in every mode; some behaviors cannot be made. Every message has one end, every ask completes, every actor
 * ends, and no interrupt reaches the wrong actor.
 *
 * <p>The plan is derived from a seed, which every failure reports: {@code -Dfibry.stress.seed=N} replays it.
 */
class SupervisionStressTest extends KernelTest {

    private static final int ROUNDS = 15;
    private static final int SENDERS = 4;
    private static final int MESSAGES = 1_500;
    private static final long SEED = Long.getLong("fibry.stress.seed", System.nanoTime());
    private static final Duration LONG = Duration.ofDays(1);
    private static final List<StopMode> MODES = List.of(StopMode.values());
    private static final List<Restart> KINDS = List.of(Restart.values());

    private static final class IntendedFailure extends RuntimeException {
        private static final long serialVersionUID = 1;

        IntendedFailure() {
            super("meant to fail", null, false, false); // without a stack: there are many
        }
    }

    private static final class OtherIntendedFailure extends RuntimeException {
        private static final long serialVersionUID = 1;

        OtherIntendedFailure() {
            super("meant to fail too", null, false, false);
        }
    }

    /** A world of actors, and the events that they have seen. */
    private final class World {
        private final ThreadStrategy strategy;
        private final Random random;
        private final List<Supplier<ReplyActor<Integer, Integer>>> targets = new ArrayList<>();
        private final List<Actor<?>> roots = new ArrayList<>();
        private final AtomicLong handled = new AtomicLong();
        private final AtomicLong interruptsOfOthers = new AtomicLong();

        /** An actor that is neither stopped nor interrupted. */
        private final Actor<Integer> bystander;

        World(ThreadStrategy strategy, Random random) {
            this.strategy = strategy;
            this.random = random;
            bystander = actor(strategy).newActor((Integer message) -> {
                handled.incrementAndGet();
                if (Thread.currentThread().isInterrupted()) {
                    interruptsOfOthers.incrementAndGet();
                }
            });
            for (int i = 0; i < 4; i++) {
                addSupervisor(i);
                addParent();
            }
        }

        private void addSupervisor(int number) {
            SupervisorSpec spec = any(
                            random,
                            List.of(
                                    SupervisorSpec.oneForOne(),
                                    SupervisorSpec.oneForAll(),
                                    SupervisorSpec.restForOne()))
                    .limit(random.nextInt(40), LONG);
            if (random.nextBoolean()) {
                spec = spec.backoff(Duration.ofNanos(1 + random.nextInt(1_000_000)), Duration.ofMillis(2));
            }
            List<String> names = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                String name = "child-" + number + "-" + i;
                Restart restart = any(random, KINDS);
                Duration stopTimeout = any(random, List.of(Duration.ZERO, Duration.ofMillis(1), LONG));
                boolean lasting = random.nextInt(3) > 0;
                Supervision own = random.nextInt(3) == 0 ? policy() : Supervision.escalate();
                spec = spec.child(
                        name,
                        restart,
                        stopTimeout,
                        builder -> lasting
                                ? lasting(builder.supervision(own))
                                : mortal(builder.supervision(Supervision.escalate())));
                names.add(name);
            }
            Supervisor supervisor = system.actor().newSupervisor(spec);
            roots.add(supervisor);
            names.forEach(name -> targets.add(() -> current(supervisor, name)));
        }

        @SuppressWarnings("unchecked")
        private ReplyActor<Integer, Integer> current(Supervisor supervisor, String name) {
            return (ReplyActor<Integer, Integer>) supervisor.child(name).orElse(null);
        }

        private void addParent() {
            var parent = lasting(actor(strategy).supervision(policy()));
            var child = lasting(actor(strategy).supervision(policy()).childOf(parent));
            roots.add(parent);
            targets.add(() -> parent);
            targets.add(() -> child);
        }

        private Supervision policy() {
            Supervision policy = switch (random.nextInt(4)) {
                case 0 -> Supervision.resume();
                case 1 -> Supervision.escalate();
                case 2 -> Supervision.restart().limit(random.nextInt(20), LONG);
                default -> Supervision.restart().backoff(Duration.ofNanos(1_000), Duration.ofMillis(1));
            };
            return random.nextBoolean() ? policy : policy.on(OtherIntendedFailure.class, Supervision.restart());
        }

        private ReplyActor<Integer, Integer> lasting(ActorBuilder<Object> builder) {
            var made = new AtomicLong();
            return builder.strategy(strategy).newActorWithReturnFrom(context -> {
                if (made.incrementAndGet() % 16 == 0) {
                    throw new IntendedFailure();
                }
                return this::handle;
            });
        }

        private ReplyActor<Integer, Integer> mortal(ActorBuilder<Object> builder) {
            return builder.strategy(strategy).newActorWithReturn(this::handle);
        }

        private int handle(int message) {
            handled.incrementAndGet();
            if (message % 100 == 0) {
                throw new IntendedFailure();
            }
            if (message % 100 == 1) {
                throw new OtherIntendedFailure();
            }
            return message;
        }
    }

    @AllStrategies
    void everyMessageHasOneEndInSpiteOfFailures(ThreadStrategy strategy) {
        var random = new Random(SEED);
        var dead = new AtomicLong();
        system.onDeadLetter(letter -> dead.incrementAndGet());
        long told = 0;
        long handled = 0;
        for (int round = 0; round < ROUNDS; round++) {
            String plan = "-Dfibry.stress.seed=" + SEED + ", round " + round;
            var world = new World(strategy, new Random(random.nextLong()));
            List<CompletableFuture<Long>> senders = new ArrayList<>();
            Queue<CompletableFuture<Integer>> asks = new ConcurrentLinkedQueue<>();
            for (int i = 0; i < SENDERS; i++) {
                long seed = random.nextLong();
                var sent = new CompletableFuture<Long>();
                senders.add(sent);
                Thread.startVirtualThread(() -> send(world, new Random(seed), asks, sent));
            }
            for (CompletableFuture<Long> sender : senders) {
                told += Await.value(sender);
            }
            world.bystander.close();
            world.roots.forEach(Actor::stop); // the actors that have not ended yet
            world.roots.forEach(Await::end);
            asks.forEach(ask -> assertTrue(ask.isDone(), plan));
            assertEquals(0, world.interruptsOfOthers.get(), plan);
            Await.until("nothing moves", ((LocalSystem) system)::isQuiescent);
            handled += world.handled.get();
            SystemStats counters = system.stats();
            assertEquals(handled, counters.handledBySource().sent(), plan);
            assertEquals(dead.get(), counters.dead(), plan);
            assertEquals(told, counters.sent(), plan);
        }
    }

    /** Sends, and now and then stops an actor; completes with the number of sent messages. */
    private static void send(
            World world, Random random, Queue<CompletableFuture<Integer>> asks, CompletableFuture<Long> sent) {
        long count = 0;
        try {
            for (int i = 0; i < MESSAGES; i++) {
                var target =
                        world.targets.get(random.nextInt(world.targets.size())).get();
                if (target == null) {
                    continue;
                }
                if (random.nextInt(300) == 0) {
                    target.stop(any(random, MODES));
                } else if (random.nextInt(3_000) == 0) {
                    world.roots.get(random.nextInt(world.roots.size())).stop(any(random, MODES));
                }
                count += 2;
                world.bystander.tell(i);
                if (random.nextBoolean()) {
                    asks.add(target.ask(random.nextInt(1_000)));
                } else {
                    tell(target, random.nextInt(1_000));
                }
            }
            sent.complete(count);
        } catch (Throwable t) {
            sent.completeExceptionally(t);
        }
    }

    private static void tell(Actor<Integer> target, int message) {
        try {
            target.tell(message);
        } catch (RejectedExecutionException refused) {
            assertTrue(refused instanceof ActorStoppedException, refused::toString);
        }
    }

    private static <T> T any(Random random, List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
