package io.fibry.topic;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Overflow;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Rounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/**
 * Threads subscribe and unsubscribe the same actors, which end at a random moment. No subscription remains, although
 * the topic has no message whose delivery would remove it.
 *
 * <p>The plan is derived from a seed, which every failure reports: {@code -Dfibry.stress.seed=N} replays it.
 */
class SubscriptionStressTest extends TopicCase {

    private static final long SEED = Long.getLong("fibry.stress.seed", System.nanoTime());
    private static final int ACTORS = 20;
    private static final int THREADS = 4;

    @AllStrategies
    void noSubscriptionOutlivesItsSubscriber(ThreadStrategy strategy) throws Exception {
        var random = new Random(SEED);
        for (int round = 0; round < Rounds.of(20, 500); round++) {
            String plan = "-Dfibry.stress.seed=" + SEED + ", round " + round;
            LocalTopic<Integer> topic = topic(strategy, DEFAULTS);
            List<Reader> readers = IntStream.range(0, ACTORS)
                    .mapToObj(i -> new Reader(system.actor().strategy(strategy).bounded(1, Overflow.BLOCK), false))
                    .toList();
            var failures = new ConcurrentLinkedQueue<Throwable>();
            var threads = new ArrayList<Thread>();
            for (int t = 0; t < THREADS; t++) {
                long seed = random.nextLong();
                threads.add(Thread.startVirtualThread(() -> {
                    try {
                        change(topic, readers, new Random(seed));
                    } catch (RuntimeException | Error e) {
                        failures.add(e);
                    }
                }));
            }
            for (Thread thread : threads) {
                assertTrue(thread.join(Duration.ofSeconds(30)), plan);
            }
            assertEquals(List.of(), List.copyOf(failures), plan);
            readers.forEach(reader -> reader.actor.close());
            await(plan).atMost(Duration.ofSeconds(30)).until(() -> topic.stats().subscribers() == 0);
            assertTrue(topic.close(Duration.ofSeconds(30)), plan);
        }
    }

    private static void change(LocalTopic<Integer> topic, List<Reader> readers, Random random) {
        for (Reader reader : readers) {
            for (int i = 0; i < 10; i++) {
                switch (random.nextInt(3)) {
                    case 0 -> topic.subscribe(reader.actor);
                    case 1 -> topic.subscribe(reader.actor, 1, Overflow.DROP_OLDEST);
                    default -> topic.unsubscribe(reader.actor);
                }
            }
            if (random.nextInt(3) == 0) {
                reader.actor.stop();
            }
        }
    }
}
