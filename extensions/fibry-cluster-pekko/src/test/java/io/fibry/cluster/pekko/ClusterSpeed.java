package io.fibry.cluster.pekko;

import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.pekko.harness.Keys;
import io.fibry.codec.Codec;
import io.fibry.entity.Entities;
import io.fibry.entity.EntityBehavior;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * Compares entities on two nodes with Pekko's own sharding and with entities over TLS, in the same processes and in
 * alternation: the median of an ask to the other node and to this node, and the rate of messages to the other node.
 * {@code build/cluster-speed} runs it.
 */
public final class ClusterSpeed {

    private static final int PORT = 17_600;
    private static final int TLS_PORT = 17_610;
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

    /** Counts its messages, and replies with the id of its process. */
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

        /** Repeats the question, because Pekko drops messages for a shard during its move. */
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

        /** Returns the median of sequential asks, in microseconds. */
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

        /** Returns the rate of messages to ten entities, per second, until the last message has been handled. */
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

    /**
     * The argument is the file of the keys that the first process has created; without it, this is the first process.
     */
    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            Path folder = Files.createTempDirectory("cluster-speed");
            Path keys = Keys.make(folder.resolve("keys.p12"));
            Process other = start(keys);
            try {
                measure(rows(1, keys));
            } finally {
                other.destroyForcibly();
                Files.delete(keys);
                Files.delete(folder);
            }
            System.exit(0);
        } else {
            List<Row> unused = rows(2, Path.of(args[0]));
            int end = System.in.read(); // the parent has ended
            Runtime.getRuntime().halt(Math.max(0, end));
        }
    }

    private static Process start(Path keys) throws IOException {
        String java = System.getProperty("java.home") + "/bin/java";
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), ClusterSpeed.class.getName(), keys.toString()));
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Each process is a node of two clusters, one of them with TLS. */
    private static List<Row> rows(int node, Path keys) throws IOException, GeneralSecurityException {
        PekkoCluster plain = PekkoCluster.join(config("speed", PORT, node));
        PekkoCluster tls = PekkoCluster.join(config("tls", TLS_PORT, node).tls(Keys.context(keys)));
        return List.of(
                new Row("fibry", entities(plain), new ArrayList<>(), new ArrayList<>()),
                new Row("pekko", pekko(plain), new ArrayList<>(), new ArrayList<>()),
                new Row("fibry, TLS", entities(tls), new ArrayList<>(), new ArrayList<>()));
    }

    private static ClusterOptions config(String name, int port, int node) {
        return ClusterOptions.of(name, "127.0.0.1", port + node, "127.0.0.1:" + (port + 1));
    }

    private static Sharding entities(PekkoCluster cluster) {
        Entities<String, String, String> entities =
                cluster.entities("fibry", new Text(), new Text(), key -> new Counter());
        return new Sharding() {
            @Override
            public void tell(String key, String message) {
                entities.ref(key).tell(message);
            }

            @Override
            public CompletableFuture<String> ask(String key, String message) {
                return entities.ref(key).ask(message, TIMEOUT);
            }
        };
    }

    private static Sharding pekko(PekkoCluster cluster) {
        var raw = new RawSharding(cluster.pekko(), cluster.options().shards(), new Text());
        return new Sharding() {
            @Override
            public void tell(String key, String message) {
                raw.tell(key, message);
            }

            @Override
            public CompletableFuture<String> ask(String key, String message) {
                return raw.ask(key, message, TIMEOUT);
            }
        };
    }

    private static void measure(List<Row> rows) throws InterruptedException {
        while (rows.stream().anyMatch(row -> row.there().size() < KEYS / 4)) {
            rows.forEach(Row::look);
            TimeUnit.SECONDS.sleep(1);
        }
        for (String what : List.of("ask there, us", "ask here, us", "tells there, 1/s")) {
            List<List<Double>> results =
                    rows.stream().<List<Double>>map(row -> new ArrayList<>()).toList();
            for (int round = -2; round < ROUNDS; round++) { // two rounds to warm up
                for (int i = 0; i < rows.size(); i++) {
                    double result = result(rows.get(i), what);
                    if (round >= 0) {
                        results.get(i).add(result);
                    }
                }
            }
            print(what, rows, results);
        }
    }

    private static void print(String what, List<Row> rows, List<List<Double>> results) {
        double first = median(results.get(0));
        for (int i = 0; i < rows.size(); i++) {
            double median = median(results.get(i));
            System.out.printf(
                    "%-18s %-10s %,10.1f   %s is %.2f of it   %s%n",
                    what, rows.get(i).name(), median, rows.get(0).name(), first / median, results.get(i));
        }
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
