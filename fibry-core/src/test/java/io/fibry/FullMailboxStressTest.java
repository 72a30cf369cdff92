package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Random graphs of actors with small mailboxes that make their senders wait. Tokens walk on them. A deadlock needs, at
 * each actor of a cycle, a full mailbox and a handler that waits. With fewer tokens than the lightest cycle holds there
 * is no deadlock, and none may be reported. With many more tokens there are many deadlocks, and each has to be found,
 * or the walk would never end.
 *
 * <p>Seen to fail: notes that are cleared after the message was added (false alarms); a mailbox that fills up without a
 * new check (a walk that never ends).
 */
class FullMailboxStressTest extends KernelTest {

    private static final Duration FOREVER = Duration.ofDays(1);

    /** The number of hops of all tokens of a graph together. A long run has millions. */
    private static final long HOPS = Long.getLong("fibry.stress.hops", 10_000);

    /** The largest capacity. */
    private static final int MOST = 8;

    /** A walking token. The first actor to take it decides its fate. */
    private record Token(long seed, int hops, AtomicBoolean taken) {
        Token(long seed, int hops) {
            this(seed, hops, new AtomicBoolean());
        }

        boolean take() {
            return taken.compareAndSet(false, true);
        }
    }

    /** Actors that pass tokens on. */
    private final class Graph {
        private final List<ReplyActor<Token, Integer>> actors = new ArrayList<>();
        private final int[] capacities;
        private final int[][] targets;
        private final AtomicLong alive = new AtomicLong();
        private final AtomicLong sent = new AtomicLong();
        private final AtomicLong alarms = new AtomicLong();
        private final AtomicReference<@Nullable Throwable> firstAlarm = new AtomicReference<>();
        private final boolean limits;

        Graph(ThreadStrategy strategy, Random random, boolean limits) {
            this.limits = limits;
            int size = random.nextBoolean() ? 2 : 3 + random.nextInt(4);
            capacities =
                    random.ints(size, 1, random.nextBoolean() ? 2 : MOST + 1).toArray();
            targets = new int[size][];
            for (int i = 0; i < size; i++) {
                int next = (i + 1) % size; // lets every token continue
                targets[i] = random.ints(1 + random.nextInt(3), 0, size).toArray();
                targets[i][0] = next;
                int self = i;
                actors.add(
                        actor(strategy).bounded(capacities[i], Overflow.BLOCK).newActorWithReturn((Token token) -> {
                            pass(self, token);
                            return 0;
                        }));
            }
        }

        /** The number of tokens in the lightest cycle when it is a deadlock. */
        int lightestCycle() {
            int n = capacities.length;
            long[][] weight = new long[n][n];
            for (int i = 0; i < n; i++) {
                Arrays.fill(weight[i], Integer.MAX_VALUE);
                for (int target : targets[i]) {
                    weight[i][target] = capacities[i] + 1L;
                }
            }
            for (int k = 0; k < n; k++) {
                for (int i = 0; i < n; i++) {
                    for (int j = 0; j < n; j++) {
                        weight[i][j] = Math.min(weight[i][j], weight[i][k] + weight[k][j]);
                    }
                }
            }
            long lightest = Integer.MAX_VALUE;
            for (int i = 0; i < n; i++) {
                lightest = Math.min(lightest, weight[i][i]);
            }
            return (int) lightest;
        }

        void start(int tokens, Random random) {
            alive.set(tokens);
            for (int i = 0; i < tokens; i++) {
                var token = new Token(random.nextLong(), (int) Math.max(1, HOPS / tokens));
                int to = random.nextInt(actors.size());
                Thread.ofVirtual().start(() -> send(to, token));
            }
        }

        private void pass(int from, Token token) {
            if (!token.take()) {
                return; // its ask has ended by its timeout
            }
            if (token.hops == 0) {
                alive.decrementAndGet();
                return;
            }
            var random = new Random(token.seed);
            var next = new Token(random.nextLong(), token.hops - 1);
            int to = targets[from][random.nextInt(targets[from].length)];
            if (random.nextInt(16) == 0) {
                Thread.ofVirtual().start(() -> send(to, next)); // a sender that is not an actor, and competes for room
            } else {
                send(to, next);
            }
        }

        private void send(int to, Token token) {
            sent.incrementAndGet();
            try {
                int kind = (int) (token.seed & 15);
                if (kind < 12) {
                    actors.get(to).tell(token);
                } else if (kind < 14) {
                    gone(token, actors.get(to).ask(token));
                } else {
                    gone(token, actors.get(to).ask(token, limits ? Duration.ofNanos(100_000) : FOREVER));
                }
            } catch (MailboxFullException e) {
                ends(token, e);
            }
        }

        private void gone(Token token, CompletableFuture<Integer> reply) {
            CompletableFuture<Integer> unused = reply.whenComplete((value, failure) -> {
                if (failure != null) {
                    ends(token, failure);
                }
            });
        }

        private void ends(Token token, Throwable e) {
            if (e instanceof MailboxFullException) {
                firstAlarm.compareAndSet(null, e);
                alarms.incrementAndGet();
            }
            if (token.take()) {
                alive.decrementAndGet();
            }
        }
    }

    private void walk(ThreadStrategy strategy, long seed, boolean healthy, AtomicLong sent) {
        var random = new Random(seed);
        var graph = new Graph(strategy, random, !healthy);
        int lightest = graph.lightestCycle();
        int tokens = healthy ? lightest - 1 : 20 + 4 * lightest;
        graph.start(tokens, random);
        awaitEnd("seed " + seed, graph.alive::get, graph.sent::get);
        if (healthy) {
            assertEquals(0, graph.alarms.get(), () -> "seed " + seed + ": " + graph.firstAlarm.get());
        }
        sent.addAndGet(graph.sent.get());
        graph.actors.forEach(Actor::stop);
    }

    private static void awaitEnd(String what, LongSupplier alive, LongSupplier sent) {
        long before = -1;
        while (alive.getAsLong() > 0) {
            long now = sent.getAsLong();
            assertTrue(now != before, () -> what + ": " + alive.getAsLong() + " tokens do not go on");
            before = now;
            long until = System.nanoTime() + Duration.ofSeconds(10).toNanos();
            while (alive.getAsLong() > 0 && System.nanoTime() < until && sent.getAsLong() < before + 1000) {
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    @AllStrategies
    void noCycleIsReportedWhereThereIsNone(ThreadStrategy strategy) {
        walkAll(strategy, true);
    }

    @AllStrategies
    void everyCycleIsFound(ThreadStrategy strategy) {
        walkAll(strategy, false);
    }

    private void walkAll(ThreadStrategy strategy, boolean healthy) {
        var sent = new AtomicLong();
        for (long seed = 1; sent.get() < 5 * HOPS; seed++) {
            walk(strategy, seed, healthy, sent);
        }
    }
}
