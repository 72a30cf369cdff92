package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.cluster.pekko.harness.Bank;
import io.fibry.cluster.pekko.harness.Bank.Event;
import io.fibry.cluster.pekko.harness.Cluster;
import io.fibry.durable.EventLog;
import io.fibry.durable.JdbcStore;
import io.fibry.durable.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Transfers between accounts by stored messages, in PostgreSQL, while one of three nodes after the other is killed. The
 * client, a fourth process, repeats asks with a request key. {@code -Dbank.minutes=10} is the long form.
 */
@Timeout(2_400) // the long form
class BankClusterTest {

    private static final int MINUTES = Integer.getInteger("bank.minutes", 0);
    private static final int SEED = Integer.getInteger("bank.seed", 1);
    private static final int ACCOUNTS = 1000;
    private static final String CLIENT = "n4";

    /** The maximum number of transfers between two kills. */
    private static final int MOST_TRANSFERS = 2_000;

    private static final String REFUSED = "" + Bank.REFUSED;

    private final Random random = new Random(SEED);
    private final Path folder = Path.of("target", "bank-cluster");

    @Test
    @Guarantee(event = "kill -9, power failure", of = "entity and state")
    void transfersAreAppliedOnce() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                Cluster cluster = Cluster.of(folder, 4, Map.of("drain", "2000"))) {
            String database = server.url() + "?user=" + server.user() + "&password=" + server.password();
            start(cluster, database);
            long start = System.nanoTime();
            cluster.node(CLIENT).ask("transfer " + ACCOUNTS + " " + SEED);
            int kills = kill(cluster, database);
            Path file = folder.resolve("outcomes").toAbsolutePath();
            String repeated = cluster.node(CLIENT).ask("outcome " + file);
            long stopped = System.nanoTime();
            awaitDelivery(server);
            long delivered = System.nanoTime();
            long[] balances = Stream.of(cluster.node(CLIENT).ask("balances").split(" "))
                    .mapToLong(Long::parseLong)
                    .toArray();
            var outcomes = Files.readAllLines(file);
            try (JdbcStore store = JdbcStore.of(server.dataSource())) {
                check(Bank.log(store), balances, outcomes);
            }
            System.out.println("measured: " + kills + " kills, " + outcomes.size() + " transfers, " + repeated
                    + " asks repeated, "
                    + outcomes.stream()
                            .filter(line -> line.endsWith(" unknown"))
                            .count()
                    + " abandoned, within " + (stopped - start) / 1_000_000 + " ms; the last message was handled "
                    + (delivered - stopped) / 1_000_000 + " ms later");
        }
    }

    private static void start(Cluster cluster, String database) throws Exception {
        for (String name : cluster.names()) {
            cluster.startWith(name.equals(CLIENT) ? Map.of() : Map.of("jdbc", database), name);
        }
        cluster.names().forEach(name -> cluster.node(name).awaitJoined());
        cluster.awaitUp();
    }

    /**
     * Kills and restarts nodes, each after a random number of transfers, and returns their number: one, or as
     * many as fit into the time of the long form.
     */
    private int kill(Cluster cluster, String database) throws Exception {
        long end = System.nanoTime() + Duration.ofMinutes(MINUTES).toNanos();
        int kills = 0;
        while (kills == 0 || System.nanoTime() < end) {
            long before = transferred(cluster) + random.nextInt(MOST_TRANSFERS);
            Cluster.until("more transfers", () -> transferred(cluster) > before);
            String victim = cluster.names().get(random.nextInt(3));
            cluster.kill(victim);
            cluster.awaitRemoved(
                    victim,
                    cluster.names().stream()
                            .filter(name -> !name.equals(victim))
                            .toArray(String[]::new));
            cluster.startWith(Map.of("jdbc", database), victim).awaitJoined();
            cluster.awaitUp();
            kills++;
        }
        return kills;
    }

    private static long transferred(Cluster cluster) {
        return Long.parseLong(cluster.node(CLIENT).ask("transferred"));
    }

    private static void awaitDelivery(PostgresServer server) throws SQLException {
        try (var connection = server.dataSource().getConnection();
                var statement = connection.prepareStatement("SELECT COUNT(*) FROM fibry_message")) {
            Cluster.until("all stored messages are handled", () -> {
                try (var rows = statement.executeQuery()) {
                    return rows.next() && rows.getLong(1) == 0;
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    private static void check(EventLog<?, ?, Event, ?> log, long[] balances, List<String> outcomes) {
        assertEquals(ACCOUNTS * Bank.INITIAL, LongStream.of(balances).sum(), "the sum of all balances");
        Map<String, Integer> withdrawals = new HashMap<>();
        Map<String, List<Long>> numbersSent = new TreeMap<>();
        Map<String, List<Long>> numbersArrived = new TreeMap<>();
        IntStream.range(0, ACCOUNTS).forEach(i -> {
            String key = Bank.account(i);
            long balance = Bank.INITIAL;
            for (Event event :
                    log.history(key).map(recorded -> recorded.event()).toList()) {
                switch (event) {
                    case Event.Withdrawn e -> {
                        balance -= e.amount();
                        withdrawals.merge(key + " " + e.id(), 1, Integer::sum);
                        add(numbersSent, key + " to " + e.to(), e.number());
                    }
                    case Event.Deposited e -> {
                        balance += e.amount();
                        add(numbersArrived, e.from() + " to " + key, e.number());
                    }
                }
            }
            assertEquals(balance, balances[i], () -> "the balance of " + key);
        });
        assertEquals(numbersSent, numbersArrived, "the transfers by sender and receiver, in order");
        for (String outcome : outcomes) {
            int last = outcome.lastIndexOf(' ');
            int applied = withdrawals.getOrDefault(outcome.substring(0, last), 0);
            switch (outcome.substring(last + 1)) {
                case "unknown" -> assertTrue(applied <= 1, () -> outcome + " is applied " + applied + " times");
                case REFUSED -> assertEquals(0, applied, outcome);
                default -> assertEquals(1, applied, outcome);
            }
        }
    }

    private static void add(Map<String, List<Long>> numbers, String of, long number) {
        numbers.computeIfAbsent(of, none -> new ArrayList<>()).add(number);
    }
}
