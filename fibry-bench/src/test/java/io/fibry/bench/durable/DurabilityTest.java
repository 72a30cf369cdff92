package io.fibry.bench.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fibry.bench.Output;
import io.fibry.bench.latency.Finding;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each measurement runs with each peer and a small load, and checks its result. The figures are not checked. */
@Timeout(120)
class DurabilityTest {

    private static @Nullable PostgresServer server;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        if (PostgresServer.missing() == null) {
            server = PostgresServer.start();
        }
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static Path connection() {
        assumeTrue(server != null, PostgresServer.missing());
        return server.connection();
    }

    static Stream<Arguments> trials() {
        return Stream.of(Durability.values())
                .flatMap(durability -> durability.cases().stream()
                        .flatMap(params -> durability.peers(params.get(Durability.DATABASE)).stream()
                                .map(peer -> Arguments.of(durability, peer, small(params)))));
    }

    private static SortedMap<String, String> small(SortedMap<String, String> params) {
        var small = new TreeMap<>(params);
        small.replace("writers", "8");
        small.replace("entities", "9");
        small.replaceAll((name, value) -> Set.of("events", "pending", "due").contains(name)
                ? String.valueOf(Long.parseLong(value) / 100)
                : value);
        return small;
    }

    @ParameterizedTest
    @MethodSource("trials")
    void allFiguresAreThere(Durability durability, DurablePeer peer, SortedMap<String, String> params)
            throws Exception {
        boolean isFile = params.get(Durability.DATABASE).equals(Durability.H2);
        List<Finding> found = List.of();
        // On a loaded machine, no operation may end within the shortest time.
        for (double seconds = 0.1;
                seconds < 30 && (found.isEmpty() || found.getFirst().value() == 0);
                seconds *= 5) {
            found = run(durability, peer, params, seconds);
            assertEquals(
                    names(durability, isFile), found.stream().map(Finding::name).toList());
        }
        assertTrue(found.getFirst().value() > 0, found.toString());
    }

    private static List<Finding> run(
            Durability durability, DurablePeer peer, SortedMap<String, String> params, double seconds)
            throws Exception {
        boolean isFile = params.get(Durability.DATABASE).equals(Durability.H2);
        var args = new ArrayList<>(List.of(
                durability.name(),
                peer.name(),
                String.valueOf(seconds),
                isFile ? Durability.H2 : connection().toString()));
        params.forEach((name, value) -> args.add(name + "=" + value));
        return Finding.in(Output.of(() -> DurableProgram.run(args.toArray(String[]::new))));
    }

    private static List<String> names(Durability durability, boolean isFile) {
        List<String> rate = isFile ? List.of("rate", "cpu") : List.of("rate", "cpu", "serverCpu");
        List<String> latencies = List.of("p50", "p99", "p99.9", "max");
        return switch (durability) {
            case EVENTS -> Stream.concat(rate.stream(), latencies.stream()).toList();
            case ASK, RECOVERY -> latencies;
            case NOTICE, LATENESS -> List.of("p50", "p99", "p99.9", "max", "count");
            case PROJECTION -> rate;
            case REMINDERS -> Stream.concat(rate.stream(), Stream.of("heap")).toList();
        };
    }

    @Test
    void aForkIsAJvmOfItsOwn() throws IOException, InterruptedException {
        var params =
                new TreeMap<>(java.util.Map.of("entities", "9", "writers", "4", Durability.DATABASE, Durability.H2));
        List<Finding> found = Durability.EVENTS.measure(DurablePeer.FIBRY, params, 0.1, List.of("-Xmx256m"), null);
        assertEquals(
                names(Durability.EVENTS, true),
                found.stream().map(Finding::name).toList());
        params.remove("writers");
        var error = assertThrows(
                IOException.class, () -> Durability.EVENTS.measure(DurablePeer.FIBRY, params, 0.1, List.of(), null));
        assertTrue(error.getMessage().contains("The parameter writers is missing."), error.getMessage());
    }

    /** A lost deposit, and one that is stored twice. */
    @Test
    void aWrongResultIsNoticed(@TempDir Path folder) throws Exception {
        for (int times : List.of(0, 2)) {
            var database = new Database.H2(folder.resolve("accounts" + times));
            try (Accounts accounts = FibryAccounts.open(Storage.of(database))) {
                var wrong = assertThrows(
                        IllegalStateException.class,
                        () -> new Load(new WrongAccounts(accounts, times), 9).latency(Duration.ofMillis(10)));
                assertTrue(wrong.getMessage().startsWith("the balance of an account is "), wrong.getMessage());
            }
        }
    }

    /** Stores the first deposit of one account another number of times. */
    private static final class WrongAccounts implements Accounts {

        private final Accounts accounts;
        private final int times;
        private boolean isDone;

        WrongAccounts(Accounts accounts, int times) {
            this.accounts = accounts;
            this.times = times;
        }

        @Override
        public long deposit(String key, int requested) throws Exception {
            if (isDone || !key.equals(KEY + 7)) {
                return accounts.deposit(key, requested);
            }
            isDone = true;
            return accounts.deposit(key, times);
        }

        @Override
        public long balance(String key) throws Exception {
            return accounts.balance(key);
        }

        @Override
        public void forget() throws Exception {
            accounts.forget();
        }

        @Override
        public long events() throws Exception {
            return accounts.events();
        }

        @Override
        public Projection.Running project(Projection projection) throws Exception {
            return accounts.project(projection);
        }

        @Override
        public void close() {
            accounts.close();
        }
    }
}
