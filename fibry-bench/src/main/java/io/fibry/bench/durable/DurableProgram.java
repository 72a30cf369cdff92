package io.fibry.bench.durable;

import io.fibry.bench.latency.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Measures one peer in this JVM, and prints a line for each result. The arguments are the measurement, the peer, the
 * seconds, the database, and the parameters. The database is H2, or the connection file of a PostgreSQL server, whose
 * tables are deleted.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=durable.DurableProgram -Dargs="EVENTS FIBRY 10
 * H2 writers=64"}
 */
final class DurableProgram {

    private DurableProgram() {}

    public static void main(String[] args) {
        try {
            run(args);
            System.exit(0); // the threads of a peer may keep the JVM alive
        } catch (Exception e) {
            e.printStackTrace(System.out);
            System.out.println(e);
            System.exit(1);
        }
    }

    static void run(String... args) throws Exception {
        if (args.length < 4) {
            throw new IllegalArgumentException("The arguments are WHAT PEER SECONDS DATABASE NAME=VALUE ..");
        }
        var what = Durability.valueOf(args[0].toUpperCase(Locale.ROOT));
        var peer = DurablePeer.valueOf(args[1]);
        var time = Duration.ofNanos(Math.round(1e9 * Double.parseDouble(args[2])));
        var params = new TreeMap<String, String>();
        Arrays.stream(args).skip(4).map(arg -> arg.split("=", 2)).forEach(pair -> params.put(pair[0], pair[1]));
        Path folder = Files.createTempDirectory("fibry-durable");
        try {
            List<Finding> found = what.find(peer, database(args[3], folder), params, time);
            found.forEach(finding -> System.out.println(finding.line()));
        } finally {
            delete(folder);
        }
    }

    private static Database database(String name, Path folder) throws IOException, SQLException {
        if (name.equals(Durability.H2)) {
            return new Database.H2(folder.resolve("accounts"));
        }
        var server = Database.Postgres.read(Path.of(name));
        server.clear();
        return server;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
