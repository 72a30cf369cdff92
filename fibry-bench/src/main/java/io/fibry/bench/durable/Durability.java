package io.fibry.bench.durable;

import io.fibry.bench.latency.Finding;
import io.fibry.bench.net.Programs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of durable entities. The accounts are small, so the figures describe the store.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=report.Report -Dargs="durable"}
 */
public enum Durability {
    /** Deposits that are acknowledged per second. */
    EVENTS("Acknowledged events per second") {
        @Override
        SortedMap<String, String> params() {
            return new TreeMap<>(Map.of("entities", "1000", "writers", "64"));
        }

        @Override
        List<Finding> find(DurablePeer peer, Database database, Map<String, String> params, Duration time)
                throws Exception {
            try (Accounts accounts = peer.open(Storage.of(database))) {
                return new Load(accounts, number(params, "entities")).rate(database, number(params, "writers"), time);
            }
        }
    },
    /** From a deposit until it is durable, one at a time. */
    ASK("Latency of one durable ask, without load") {
        @Override
        SortedMap<String, String> params() {
            return new TreeMap<>(Map.of("entities", "1000"));
        }

        @Override
        List<Finding> find(DurablePeer peer, Database database, Map<String, String> params, Duration time)
                throws Exception {
            try (Accounts accounts = peer.open(Storage.of(database))) {
                return new Load(accounts, number(params, "entities")).latency(time);
            }
        }
    },
    /** From a question to an account that is not in memory until the reply. */
    RECOVERY("Recovery of an entity with events after a snapshot") {
        @Override
        SortedMap<String, String> params() {
            return new TreeMap<>(Map.of("entities", "100", "events", "1000"));
        }

        @Override
        List<Finding> find(DurablePeer peer, Database database, Map<String, String> params, Duration time)
                throws Exception {
            int events = number(params, "events");
            try (Accounts accounts = peer.open(Recoveries.storage(database, events))) {
                return new Recoveries(accounts, number(params, "entities"), events).latency(time);
            }
        }
    },
    /** Stored events that a projection handles per second. */
    PROJECTION("Events per second that a projection handles, with the offset in the transaction") {
        @Override
        SortedMap<String, String> params() {
            return new TreeMap<>(Map.of("events", "200000"));
        }

        @Override
        List<Finding> find(DurablePeer peer, Database database, Map<String, String> params, Duration time)
                throws Exception {
            try (Accounts accounts = peer.open(new Storage(database, 0, true))) {
                return Projection.measure(accounts, database, number(params, "events"));
            }
        }
    },
    /** From a deposit until a projection handles its event. */
    NOTICE("Latency from an ask to the projection of its event, 200 asks per second") {
        @Override
        public List<DurablePeer> peers(String database) {
            return List.of(DurablePeer.FIBRY);
        }

        @Override
        List<Finding> find(DurablePeer peer, Database database, Map<String, String> params, Duration time)
                throws Exception {
            try (FibryAccounts accounts = FibryAccounts.open(Storage.of(database))) {
                return Notices.latency(accounts, time);
            }
        }
    },
    /** Due reminders that are handled per second, each of an entity that is not in memory. */
    REMINDERS("Reminders per second, while others are pending") {
        @Override
        SortedMap<String, String> params(String database) {
            return new TreeMap<>(
                    database.equals(POSTGRES)
                            ? Map.of("pending", "1000000", "due", "100000")
                            : Map.of("pending", "100000", "due", "20000")); // H2 takes minutes for a million
        }

        @Override
        public List<DurablePeer> peers(String database) {
            return List.of(DurablePeer.FIBRY);
        }

        @Override
        List<Finding> find(DurablePeer peer, Database database, Map<String, String> params, Duration time)
                throws Exception {
            return Reminders.measure(database, number(params, "pending"), number(params, "due"));
        }
    },
    /** From the due time of a reminder until it is handled. */
    LATENESS("Lateness of reminders at a fixed rate") {
        @Override
        SortedMap<String, String> params() {
            return new TreeMap<>(Map.of("rate", "100"));
        }

        @Override
        public List<DurablePeer> peers(String database) {
            return List.of(DurablePeer.FIBRY);
        }

        @Override
        List<Finding> find(DurablePeer peer, Database database, Map<String, String> params, Duration time)
                throws Exception {
            return Lateness.measure(database, number(params, "rate"), time);
        }
    };

    /** The value of the parameter {@link #DATABASE} for PostgreSQL with {@code synchronous_commit=on}. */
    public static final String POSTGRES = "PostgreSQL";

    /** The value of the parameter {@link #DATABASE} for H2. */
    public static final String H2 = "H2";

    /** The parameter with the name of the database. */
    public static final String DATABASE = "database";

    private final String title;

    Durability(String title) {
        this.title = title;
    }

    /** Returns the display name. */
    public String title() {
        return title;
    }

    /** Returns the name in results. */
    public String benchmark() {
        return getDeclaringClass().getName() + "." + name().toLowerCase(Locale.ROOT);
    }

    /** Returns the participating peers. */
    public List<DurablePeer> peers(String database) {
        return database.equals(POSTGRES) ? List.of(DurablePeer.values()) : List.of(DurablePeer.FIBRY);
    }

    /** Returns the parameters but the database. */
    SortedMap<String, String> params() {
        return new TreeMap<>();
    }

    /** Returns the parameters but the database, if they depend on it. */
    SortedMap<String, String> params(String database) {
        return params();
    }

    /** Returns the values of the parameters. */
    public List<SortedMap<String, String>> cases() {
        var cases = new ArrayList<SortedMap<String, String>>();
        for (String database : List.of(POSTGRES, H2)) {
            var params = params(database);
            params.put(DATABASE, database);
            cases.add(params);
        }
        return cases;
    }

    /** Measures in this JVM, with an empty database. */
    abstract List<Finding> find(DurablePeer peer, Database database, Map<String, String> params, Duration time)
            throws Exception;

    /**
     * Measures in a separate process.
     *
     * @param server the file of {@link PostgresServer#connection()}, whose tables are deleted; null for H2
     * @throws IOException if a result was wrong, or if the process fails; the message gives the reason
     */
    public List<Finding> measure(
            DurablePeer peer,
            Map<String, String> params,
            double seconds,
            List<String> jvmOptions,
            @Nullable Path server)
            throws IOException, InterruptedException {
        String database = server == null ? H2 : server.toString();
        var args = new ArrayList<>(List.of(name(), peer.name(), String.valueOf(seconds), database));
        params.forEach((name, value) -> args.add(name + "=" + value));
        String output = Programs.run(Programs.java(DurableProgram.class, jvmOptions, args.toArray(String[]::new)));
        List<Finding> found = Finding.in(output);
        if (found.isEmpty()) {
            throw new IOException("The program found nothing: " + output.strip());
        }
        return found;
    }

    private static int number(Map<String, String> params, String name) {
        String value = params.get(name);
        if (value == null) {
            throw new IllegalArgumentException("The parameter " + name + " is missing.");
        }
        return Integer.parseInt(value);
    }
}
