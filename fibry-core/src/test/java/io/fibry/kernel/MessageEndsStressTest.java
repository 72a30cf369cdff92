package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorExit;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import io.fibry.StopMode;
import io.fibry.SystemStats;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Many senders, many actors of every kind of mailbox, handlers that throw, block and are interrupted, stops of every
 * mode at random moments: every message has one end, every ask completes, and the messages of a sender keep their
 * order.
 *
 * <p>The plan is derived from a seed, which every failure reports: {@code -Dfibry.stress.seed=N} replays it.
 * {@code -Dfibry.stress.messages=N} makes it longer; by default a sender sends 100,000.
 */
class MessageEndsStressTest extends KernelTest {

    private static final int ACTORS = 12;
    private static final int SENDERS = 6;
    private static final int MESSAGES = Integer.getInteger("fibry.stress.messages", 100_000);
    private static final long SEED = Long.getLong("fibry.stress.seed", System.nanoTime());

    /** A message: its sender, and its number among that sender's messages to that actor. */
    private record Message(int sender, int number) {}

    /** An actor, and the messages that it has received. */
    private static final class Target {
        private final Actor<Message> actor;
        private final boolean replies;
        private final boolean keepsOrder;
        private final Random random;
        private final int[] last = new int[SENDERS];
        private final List<String> outOfOrder = new ArrayList<>();
        private final AtomicLong inHandler = new AtomicLong();
        private final AtomicLong handled = new AtomicLong();

        Target(ActorBuilder<Object> builder, int kind, long seed) {
            random = new Random(seed);
            replies = kind % 2 == 0;
            keepsOrder = kind != 5;
            ActorBuilder<? super Message> limited = switch (kind) {
                case 1 -> builder.bounded(32, Overflow.BLOCK);
                case 2 -> builder.bounded(16, Overflow.FAIL);
                case 3 -> builder.bounded(16, Overflow.DROP_NEWEST);
                case 4 -> builder.bounded(16, Overflow.DROP_OLDEST);
                case 5 -> builder.priority((Message a, Message b) -> Integer.compare(a.number % 3, b.number % 3));
                default -> builder;
            };
            actor = replies ? limited.newActorWithReturn(this::handle) : limited.newActor(this::handle);
        }

        private int handle(Message message) {
            if (inHandler.incrementAndGet() != 1) {
                outOfOrder.add("two handlers at a time");
            }
            handled.incrementAndGet();
            try {
                if (keepsOrder && message.number <= last[message.sender]) {
                    outOfOrder.add(message + " after " + last[message.sender]);
                }
                last[message.sender] = message.number;
                int what = random.nextInt(1_000);
                if (what == 0) {
                    throw new IllegalStateException("meant to fail");
                }
                if (what < 5) {
                    LockSupport.parkNanos(100_000);
                }
                return message.number;
            } finally {
                inHandler.decrementAndGet();
            }
        }
    }

    /** The messages of a sender, as the sender knows them. */
    private static final class Tally {
        private long sent;
        private long refusedTells;
        private final List<CompletableFuture<Integer>> asks = new ArrayList<>();
    }

    @AllStrategies
    void everyMessageHasOneEnd(ThreadStrategy strategy) {
        String plan = "-Dfibry.stress.seed=" + SEED;
        var random = new Random(SEED);
        var dead = new AtomicLong();
        system.onDeadLetter(letter -> dead.incrementAndGet());
        List<Target> targets = IntStream.range(0, ACTORS)
                .mapToObj(i -> new Target(actor(strategy), i % 6, random.nextLong()))
                .toList();
        List<Tally> tallies = new ArrayList<>();
        List<Thread> senders = new ArrayList<>();
        for (int s = 0; s < SENDERS; s++) {
            var tally = new Tally();
            int sender = s;
            long seed = random.nextLong();
            tallies.add(tally);
            senders.add(Thread.startVirtualThread(() -> send(sender, targets, tally, new Random(seed))));
        }
        Thread stopper = Thread.startVirtualThread(() -> stopAll(targets, new Random(random.nextLong())));
        senders.forEach(Await::thread);
        Await.thread(stopper);
        List<ActorExit> exits = targets.stream().map(t -> Await.end(t.actor)).toList();
        Await.until("nothing moves", ((LocalSystem) system)::isQuiescent);

        for (Target target : targets) {
            assertEquals(List.of(), target.outOfOrder, plan);
        }
        SystemStats counters = system.stats();
        assertEquals(targets.stream().mapToLong(t -> t.handled.get()).sum(), counters.handled(), plan);
        assertEquals(exits.stream().mapToLong(ActorExit::handled).sum(), counters.handled(), plan);
        assertEquals(exits.stream().mapToLong(ActorExit::discarded).sum(), counters.dead(), plan);
        assertEquals(dead.get(), counters.dead(), plan);
        assertEquals(tallies.stream().mapToLong(t -> t.sent).sum(), counters.sent(), plan);
        assertTrue(tallies.stream().mapToLong(t -> t.refusedTells).sum() <= counters.refused(), plan);
        tallies.forEach(t -> t.asks.forEach(ask -> assertTrue(ask.isDone(), plan)));
    }

    private static void send(int sender, List<Target> targets, Tally tally, Random random) {
        int[] numbers = new int[targets.size()];
        for (int i = 0; i < MESSAGES; i++) {
            int to = random.nextInt(targets.size());
            Target target = targets.get(to);
            var message = new Message(sender, ++numbers[to]);
            tally.sent++;
            try {
                if (target.replies && random.nextInt(4) == 0) {
                    tally.asks.add(ask(target, message, random));
                } else if (random.nextInt(4) > 0) {
                    target.actor.tell(message);
                } else if (!target.actor.tryTell(message)) {
                    tally.sent--;
                }
            } catch (RejectedExecutionException e) {
                tally.refusedTells++;
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static CompletableFuture<Integer> ask(Target target, Message message, Random random) {
        var actor = (ReplyActor<Message, Integer>) target.actor;
        CompletableFuture<Integer> ask = random.nextInt(8) == 0
                ? actor.ask(message, Duration.ofNanos(random.nextInt(200_000)))
                : actor.ask(message);
        if (random.nextInt(16) == 0) {
            ask.cancel(false);
        }
        return ask;
    }

    private static void stopAll(List<Target> targets, Random random) {
        for (Target target : targets) {
            LockSupport.parkNanos(random.nextInt(20_000_000));
            StopMode[] modes = StopMode.values();
            target.actor.stop(modes[random.nextInt(modes.length)]);
            if (random.nextBoolean()) {
                target.actor.stop(modes[random.nextInt(modes.length)]);
            }
        }
    }
}
