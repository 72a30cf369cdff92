package io.fibry.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.fibry.bench.durable.Durability;
import io.fibry.bench.durable.DurablePeer;
import io.fibry.bench.durable.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A measurement of durable entities with one peer. All trials use the same PostgreSQL server, and delete its tables
 * first. The result has JMH's format, like that of a {@link LatencyTrial}.
 */
record DurableTrial(
        Durability durability, DurablePeer stored, SortedMap<String, String> params, Pace pace, Server server)
        implements Trial {

    static final String FILE = "durable.json";

    /** The server of all trials, which the first fork starts. It stops at the end of this process. */
    static final class Server {

        private @Nullable PostgresServer running;

        Path connection() throws IOException, InterruptedException {
            PostgresServer server = running;
            if (server == null) {
                server = PostgresServer.start();
                running = server;
            }
            return server.connection();
        }
    }

    /** Returns all matching trials, with adjacent peers. */
    static List<Trial> all(Pattern only, Pace pace) {
        var trials = new ArrayList<Trial>();
        var server = new Server();
        for (Durability durability : Durability.values()) {
            for (SortedMap<String, String> chosen : durability.cases()) {
                for (DurablePeer peer : durability.peers(chosen.getOrDefault(Durability.DATABASE, ""))) {
                    var params = new TreeMap<>(chosen);
                    params.put(PEER, peer.name());
                    trials.add(new DurableTrial(durability, peer, params, pace, server));
                }
            }
        }
        trials.removeIf(trial -> !only.matcher(trial.benchmark()).find());
        return trials;
    }

    @Override
    public String file() {
        return FILE;
    }

    @Override
    public String benchmark() {
        return durability.benchmark();
    }

    @Override
    public @Nullable String cannot() {
        return missing(); // unsupported peers are not participants
    }

    @Override
    public @Nullable String missing() {
        return isPostgres() ? PostgresServer.missing() : null;
    }

    private boolean isPostgres() {
        return Durability.POSTGRES.equals(params.get(Durability.DATABASE));
    }

    @Override
    public int forks() {
        return Plan.forks(this);
    }

    @Override
    public double share() {
        return durability == Durability.PROJECTION || durability == Durability.REMINDERS
                ? 1 // their work is a number of events or reminders
                : (double) pace.netSeconds() / Pace.full(1).netSeconds();
    }

    @Override
    public @Nullable Duration expected() {
        return Plan.fork(this);
    }

    @Override
    public JsonNode fork() throws IOException, InterruptedException {
        var others = new TreeMap<>(params);
        others.remove(PEER);
        Path connection = isPostgres() ? server.connection() : null;
        return LatencyTrial.result(
                this, durability.measure(stored, others, pace.netSeconds(), Pace.JVM_OPTIONS, connection));
    }
}
