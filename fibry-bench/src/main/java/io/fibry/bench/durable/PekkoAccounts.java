package io.fibry.bench.durable;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.japi.function.Function;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.persistence.jdbc.testkit.javadsl.SchemaUtils;

/**
 * Persistent actors in one actor system, with the plugin's defaults, its tables for PostgreSQL, and one connection pool
 * that journal, snapshots and queries share.
 */
final class PekkoAccounts implements Accounts {

    private static final Duration TIMEOUT = Duration.ofSeconds(PATIENCE);
    private static final String CONFIG = """
        pekko {
          loglevel = OFF
          log-dead-letters = off
          jvm-exit-on-fatal-error = off
          persistence.journal.plugin = "jdbc-journal"
          persistence.snapshot-store.plugin = "jdbc-snapshot-store"
          actor.serializers.record = "io.fibry.bench.durable.RecordSerializer"
          actor.serialization-bindings {
            "io.fibry.bench.durable.Account" = record
            "io.fibry.bench.durable.Account$Deposited" = record
          }
          projection.jdbc {
            dialect = "postgres-dialect"
            blocking-jdbc-dispatcher.thread-pool-executor.fixed-pool-size = ${connections}
          }
        }
        jdbc-journal.use-shared-db = "slick"
        jdbc-snapshot-store.use-shared-db = "slick"
        jdbc-read-journal.use-shared-db = "slick"
        pekko-persistence-jdbc.shared-databases.slick {
          profile = "slick.jdbc.PostgresProfile$"
          db {
            url = ${url}
            user = ${user}
            password = ${password}
            driver = "org.postgresql.Driver"
            numThreads = ${connections}
            maxConnections = ${connections}
            minConnections = ${connections}
          }
        }
        """;

    private final Storage storage;
    private final ActorSystem<Void> system;
    private final Map<String, ActorRef<PekkoAccount.Command>> accounts = new ConcurrentHashMap<>();
    private final AtomicLong created = new AtomicLong();

    PekkoAccounts(Storage storage) {
        this.storage = storage;
        system = ActorSystem.create(Behaviors.empty(), "bench", config(storage.server()));
        var unused = SchemaUtils.createIfNotExists(system).toCompletableFuture().join();
    }

    private static Config config(Database.Postgres server) {
        Config values = ConfigFactory.parseMap(Map.of(
                "url", server.url(),
                "user", server.user(),
                "password", server.password(),
                "connections", Database.CONNECTIONS));
        return ConfigFactory.parseString(CONFIG)
                .resolveWith(values)
                .withFallback(ConfigFactory.load())
                .resolve();
    }

    private ActorRef<PekkoAccount.Command> account(String key) {
        ActorRef<PekkoAccount.Command> known = accounts.get(key);
        if (known != null) {
            return known;
        }
        // two threads may create it, but only one of them uses it: an actor that is never asked stores nothing
        ActorRef<PekkoAccount.Command> account = system.systemActorOf(
                new PekkoAccount(key, storage), "account-" + created.incrementAndGet(), Props.empty());
        ActorRef<PekkoAccount.Command> other = accounts.putIfAbsent(key, account);
        if (other != null) {
            account.tell(PekkoAccount.Command.Stop.STOP);
        }
        return other == null ? account : other;
    }

    private long ask(String key, Function<ActorRef<Long>, PekkoAccount.Command> message) {
        return AskPattern.ask(account(key), message, TIMEOUT, system.scheduler())
                .toCompletableFuture()
                .join();
    }

    @Override
    public long deposit(String key, int times) {
        return ask(key, replyTo -> new PekkoAccount.Command.Deposit(times, replyTo));
    }

    @Override
    public long balance(String key) {
        return ask(key, PekkoAccount.Command.Balance::new);
    }

    @Override
    public void forget() {
        var stopped = new ArrayList<CompletableFuture<Boolean>>();
        for (ActorRef<PekkoAccount.Command> account : accounts.values()) {
            stopped.add(Patterns.gracefulStop(Adapter.toClassic(account), TIMEOUT, PekkoAccount.Command.Stop.STOP)
                    .toCompletableFuture());
        }
        stopped.forEach(CompletableFuture::join);
        accounts.clear();
    }

    @Override
    public long events() throws Exception {
        return storage.server().number("SELECT COUNT(*) FROM event_journal");
    }

    @Override
    public Projection.Running project(Projection projection) {
        return PekkoProjection.start(system, storage.server(), projection);
    }

    @Override
    public void close() {
        system.terminate();
        var unused = system.getWhenTerminated()
                .toCompletableFuture()
                .orTimeout(PATIENCE, TimeUnit.SECONDS)
                .join();
    }
}
