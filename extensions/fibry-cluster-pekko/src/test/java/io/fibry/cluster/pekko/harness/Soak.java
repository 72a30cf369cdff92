package io.fibry.cluster.pekko.harness;

import io.fibry.cluster.pekko.harness.Events.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Kills, freezes, partitions and stops nodes under load for a long time, and checks the guarantees after each event.
 * The seed determines the number of nodes and all events. {@code build/soak [MINUTES] [SEED]} starts it. It exits with
 * status 1 after a violation; the journals of the round are then kept in {@code target/soak}, for
 * {@link JournalChecker}.
 */
public final class Soak {

    private static final int RATE = Integer.getInteger("cluster.rate", 400);
    private static final int KEYS = 200;

    private final Random random;
    private final int nodes;
    private final Path folder = Path.of("target", "soak");

    private Soak(long seed) {
        random = new Random(seed);
        nodes = 3 + random.nextInt(3);
        System.out.println("seed " + seed + ", " + nodes + " nodes, " + RATE + " messages a second");
    }

    public static void main(String[] arguments) throws Exception {
        Duration time = Duration.ofMinutes(Long.parseLong(arguments[0]));
        long seed = Long.parseLong(arguments[1]);
        System.exit(new Soak(seed).run(time) == 0 ? 0 : 1);
    }

    /** Returns the number of violations. */
    private long run(Duration time) throws Exception {
        long start = System.nanoTime();
        long violations = 0;
        long handled = 0;
        int number = 0;
        Path clean = null;
        try (Cluster cluster = Cluster.start(folder, nodes, Map.of("drain", "3000"))) {
            var events = new Events(cluster, RATE, KEYS, random.nextLong());
            while (System.nanoTime() - start < time.toNanos()) {
                number++;
                Result result = next(cluster, events);
                System.out.println(
                        number + ", after " + (System.nanoTime() - start) / 1_000_000_000 + " s: " + result.text());
                violations += result.report().violations();
                handled += result.report().handled();
                if (clean != null) {
                    Cluster.delete(clean);
                }
                clean = result.report().violations() == 0 ? result.round() : null; // nodes still write here
            }
        } catch (Exception e) {
            System.out.println("the logs are in " + folder.toAbsolutePath());
            throw e;
        }
        System.out.println(number + " events, " + handled + " messages handled, " + violations + " violations");
        return violations;
    }

    private Result next(Cluster cluster, Events events) throws Exception {
        List<String> names = new ArrayList<>(cluster.names());
        Collections.shuffle(names, random);
        String victim = names.get(0);
        int freeze = 500 + random.nextInt(15_000);
        int cut = random.nextInt(10_000);
        int side = 1 + random.nextInt((nodes - 1) / 2);
        Proxy.State state = random.nextBoolean() ? Proxy.State.HELD : Proxy.State.CUT;
        return switch (random.nextInt(4)) {
            case 0 -> events.kill(victim);
            case 1 -> events.freeze(victim, Duration.ofMillis(freeze));
            case 2 ->
                events.separate(
                        state, Duration.ofMillis(cut), names.subList(0, side).toArray(String[]::new));
            default -> events.leave(victim);
        };
    }
}
