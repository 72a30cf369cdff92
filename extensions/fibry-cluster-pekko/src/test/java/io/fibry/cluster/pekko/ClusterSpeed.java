package io.fibry.cluster.pekko;

import io.fibry.cluster.ClusterConfig;
import io.fibry.cluster.Codec;
import io.fibry.entity.Entities;
import io.fibry.entity.EntityBehavior;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * Measures entities on two nodes beside Pekko's own sharding, in the same processes and in turns: the median of an ask to the other node
 * and to this one, and messages in a second to the other one. {@code build/cluster-speed} runs it.
 */
public final class ClusterSpeed {

    private static final int PORT = 17_600;
    private static final int KEYS = 200;
    private static final int ASKS = 4_000;
    private static final int TELLS = 100_000;
    private static final int ROUNDS = 7;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private interface Sharding {
        void tell(String key, String message);

        CompletableFuture<String> ask(String key, String message);
    }

    private static final class Text implements Codec<String> {
        @Override
        public byte[] encode(String message) {
            return message.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /** Counts, and replies with the process that it is in. */
    static final class Counter implements EntityBehavior<String, String> {
        private long handled;

        @Override
        public String handle(String message) {
            handled++;
            return ProcessHandle.current().pid() + " " + handled;
        }
    }

    private record Row(String name, Sharding sharding, List<String> here, List<String> there) {

        void look() {
            here.clear();
            there.clear();
            String self = ProcessHandle.current().pid() + " ";
            for (int i = 0; i < KEYS; i++) {
                String key = "key-" + i;
                String where = where(key);
                (where.startsWith(self) ? here : there).add(key);
            }
        }

        /** Pekko drops messages for a shard that is just moving. */
        private String where(String key) {
            while (true) {
                try {
                    return sharding.ask(key, "where")
                            .orTimeout(2, TimeUnit.SECONDS)
                            .join();
                } catch (CompletionException e) {
                    System.out.println(name + " asks again: " + e.getMessage());
                }
            }
        }

        /** The median of asks one after the other, in microseconds. */
        double ask(List<String> keys) {
            long[] nanos = new long[ASKS];
            for (int i = 0; i < ASKS; i++) {
                long start = System.nanoTime();
                String unused = sharding.ask(keys.get(i % keys.size()), "ask").join();
                nanos[i] = System.nanoTime() - start;
            }
            Arrays.sort(nanos);
            return nanos[ASKS / 2] / 1e3;
        }

        /** Messages to ten entities, until the last has been handled; in a second. */
        double tell(List<String> keys) {
            int several = Math.min(10, keys.size());
            long start = System.nanoTime();
            for (int i = 0; i < TELLS; i++) {
                sharding.tell(keys.get(i % several), "tell");
            }
            for (int i = 0; i < several; i++) {
                String unused = sharding.ask(keys.get(i), "done").join();
            }
            return TELLS * 1e9 / (System.nanoTime() - start);
        }
    }

    private ClusterSpeed() {}

    /** The first argument is the number of the node; without it, this starts both. */
    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            Process other = start(2);
            try {
                measure(1);
            } finally {
                other.destroyForcibly();
            }
        } else {
            PekkoCluster cluster = join(Integer.parseInt(args[0]));
            types(cluster);
            int end = System.in.read(); // the parent has gone
            Runtime.getRuntime().halt(Math.max(0, end));
        }
    }

    private static Process start(int node) throws IOException {
        String java = System.getProperty("java.home") + "/bin/java";
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ClusterSpeed.class.getName(), "" + node));
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static PekkoCluster join(int node) {
        String first = "127.0.0.1:" + (PORT + 1);
        return PekkoCluster.join(ClusterConfig.of("speed", "127.0.0.1", PORT + node, first));
    }

    private static List<Row> types(PekkoCluster cluster) {
        Entities<String, String, String> entities =
                cluster.entities("fibry", new Text(), new Text(), key -> new Counter());
        var raw = new RawSharding(cluster.pekko(), cluster.config().shards(), new Text());
        var ours = new Sharding() {
            @Override
            public void tell(String key, String message) {
                entities.ref(key).tell(message);
            }

            @Override
            public CompletableFuture<String> ask(String key, String message) {
                return entities.ref(key).ask(message, TIMEOUT);
            }
        };
        var theirs = new Sharding() {
            @Override
            public void tell(String key, String message) {
                raw.tell(key, message);
            }

            @Override
            public CompletableFuture<String> ask(String key, String message) {
                return raw.ask(key, message, TIMEOUT);
            }
        };
        return List.of(
                new Row("fibry", ours, new ArrayList<>(), new ArrayList<>()),
                new Row("pekko", theirs, new ArrayList<>(), new ArrayList<>()));
    }

    private static void measure(int node) throws InterruptedException {
        PekkoCluster cluster = join(node);
        List<Row> rows = types(cluster);
        while (rows.stream().anyMatch(row -> row.there().size() < KEYS / 4)) {
            rows.forEach(Row::look);
            TimeUnit.SECONDS.sleep(1);
        }
        for (String what : List.of("ask there, us", "ask here, us", "tells there, 1/s")) {
            List<List<Double>> results = List.of(new ArrayList<>(), new ArrayList<>());
            for (int round = -2; round < ROUNDS; round++) { // two rounds to warm up
                for (int i = 0; i < rows.size(); i++) {
                    double result = result(rows.get(i), what);
                    if (round >= 0) {
                        results.get(i).add(result);
                    }
                }
            }
            double ours = median(results.get(0));
            double theirs = median(results.get(1));
            System.out.printf(
                    "%-18s fibry %,10.1f   pekko %,10.1f   ratio %.2f   %s%n",
                    what, ours, theirs, ours / theirs, results);
        }
        System.exit(0);
    }

    private static double result(Row row, String what) {
        return switch (what) {
            case "ask there, us" -> row.ask(row.there());
            case "ask here, us" -> row.ask(row.here());
            default -> row.tell(row.there());
        };
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
