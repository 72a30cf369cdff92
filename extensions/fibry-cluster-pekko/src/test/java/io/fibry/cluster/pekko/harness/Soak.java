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
 * Kills, freezes, partitions, stops, starts and updates nodes, and sets their clocks, under load for a long time, and
 * checks the guarantees after each event. The seed determines the number of nodes and all events.
 * {@code build/soak [MINUTES] [SEED] [FAILOVER]} starts it. It exits with status 1 after a violation; the journals of
 * the round are then kept in {@code target/soak}, for {@link JournalChecker}. With the failover {@code DEFAULT}, all
 * processors are busy during some takeovers.
 */
public final class Soak {

    private static final int RATE = Integer.getInteger("cluster.rate", 400);
    private static final int KEYS = 200;

    private final Random random;
    private final int nodes;
    private final String failover;
    private final Path folder = Path.of("target", "soak");

    private Soak(long seed, String failover) {
        this.failover = failover;
        random = new Random(seed);
        nodes = 3 + random.nextInt(3);
        System.out.println("seed " + seed + ", " + nodes + " nodes, " + RATE + " messages a second");
    }

    public static void main(String[] arguments) throws Exception {
        Duration time = Duration.ofMinutes(Long.parseLong(arguments[0]));
        long seed = Long.parseLong(arguments[1]);
        System.exit(new Soak(seed, arguments[2]).run(time) == 0 ? 0 : 1);
    }

    /** Returns the number of violations. */
    private long run(Duration time) throws Exception {
        long start = System.nanoTime();
        var totals = new Totals();
        Path clean = null;
        try (Cluster cluster = Cluster.start(folder, nodes, Map.of("drain", "3000", "failover", failover))) {
            var events = new Events(cluster, RATE, KEYS, random.nextLong());
            while (System.nanoTime() - start < time.toNanos()) {
                Result result = next(cluster, events);
                totals.add(result);
                System.out.println(totals.events() + ", after " + (System.nanoTime() - start) / 1_000_000_000 + " s: "
                        + result.text());
                if (clean != null) {
                    Cluster.delete(clean);
                }
                clean = result.report().violations() == 0 ? result.round() : null; // nodes still write here
            }
        } catch (Exception e) {
            System.out.println("the logs are in " + folder.toAbsolutePath());
            throw e;
        }
        System.out.println(totals);
        return totals.violations();
    }

    /** With {@code DEFAULT}, a node must not be removed because all processors are busy. */
    private Result kill(Events events, String victim) throws Exception {
        boolean busy = failover.equals("DEFAULT") && random.nextBoolean();
        return busy ? Hogs.during(() -> events.kill(victim)) : events.kill(victim);
    }

    private Result next(Cluster cluster, Events events) throws Exception {
        List<String> names = new ArrayList<>(cluster.names());
        Collections.shuffle(names, random);
        String victim = names.get(0);
        int freeze = 500 + random.nextInt(15_000);
        int cut = random.nextInt(10_000);
        int side = 1 + random.nextInt((nodes - 1) / 2);
        Proxy.State state = random.nextBoolean() ? Proxy.State.HELD : Proxy.State.CUT;
        int attempts = 1 + random.nextInt(3);
        int minutes = random.nextInt(-120, 120);
        return switch (random.nextInt(Cluster.hasClocks() ? 9 : 8)) {
            case 0 -> kill(events, victim);
            case 1 -> events.freeze(victim, Duration.ofMillis(freeze));
            case 2 ->
                events.separate(
                        state, Duration.ofMillis(cut), names.subList(0, side).toArray(String[]::new));
            case 3 -> events.abortedJoins(victim, attempts, random);
            case 4 -> events.mute(victim, Duration.ofMillis(cut));
            case 5 -> events.slow(victim, Duration.ofMillis(cut));
            case 6 -> events.update();
            case 8 -> events.setClock(victim, Duration.ofMinutes(minutes), Duration.ofMillis(cut));
            default -> events.leave(victim);
        };
    }
}
