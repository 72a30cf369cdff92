package io.fibry.durable.crash;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorContext;
import io.fibry.durable.DurableEntities;
import io.fibry.durable.JdbcStore;
import io.fibry.durable.SimulatedDatabase;
import io.fibry.durable.crash.Accounts.Command;
import io.fibry.durable.crash.Accounts.Published;
import io.fibry.durable.crash.Accounts.Timer;
import io.fibry.durable.crash.Client.Request;
import io.fibry.test.TestSystem;
import io.fibry.topic.LocalTopic;
import io.fibry.topic.TopicOptions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * One run: clients send transfers, while processes start, end, crash at any step, and overlap. Then a process without
 * crashes completes the rest. The seed determines the run.
 */
final class CrashRun {

    private static final int ACCOUNTS = 4;
    private static final int CLIENTS = 3;
    private static final int REQUESTS = 5;
    private static final int ROUNDS = 8;
    private static final int FEW_STEPS = 120;
    private static final int MANY_STEPS = 1000;

    private static final List<Timer> TIMERS = List.copyOf(EnumSet.allOf(Timer.class));

    /** Longer than the pause after a failed delivery, and than the delay of a reminder. */
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final TestSystem test;
    private final SimulatedDatabase database;
    private final Random random;
    private final LocalTopic<Published> topic;

    /** The processes that clients can reach; the last one is the newest. */
    private final List<Program> programs = new ArrayList<>();

    private final Projected projected;
    private int started;
    private int clientsLeft = CLIENTS;

    final List<Request> requests = new ArrayList<>();
    final List<Published> published = new ArrayList<>();

    /** The number of deposits of this test. */
    int deposits;

    CrashRun(TestSystem test, SimulatedDatabase database, long seed) {
        this.test = test;
        this.database = database;
        random = new Random(seed);
        projected = new Projected(seed);
        topic = LocalTopic.start(test.actor("topic"), TopicOptions.defaults());
        topic.subscribe(test.actor("subscriber").newActor((Published message) -> published.add(message)));
    }

    static String account(int number) {
        return "a" + number;
    }

    static List<String> accounts() {
        return IntStream.range(0, ACCOUNTS).mapToObj(CrashRun::account).toList();
    }

    /** Returns a new process, when nothing is left to be done. */
    Program run() throws Exception {
        begin();
        startClients();
        for (int round = 0; round < ROUNDS; round++) {
            test.advance(Duration.ofMillis(random.nextInt(1500)));
            change();
        }
        programs.forEach(program -> database.crash(program.store));
        start(database.open());
        end(1);
        Duration end = test.elapsed().plus(LIMIT);
        while (clientsLeft > 0 || waiting() > 0) {
            assertTrue(test.elapsed().compareTo(end) < 0, this::unfinished);
            test.advance(Duration.ofSeconds(2));
        }
        start(database.open());
        end(1);
        projected.complete(programs.getLast());
        return programs.getLast();
    }

    /** Checks that a projection has handled this number of events of an account. */
    void checkProjected(String account, int events) throws SQLException {
        projected.check(database, account, events);
    }

    private String unfinished() {
        return clientsLeft + " clients and stored messages are left after " + LIMIT;
    }

    /** Unlike a wait of the test, this does not let much time pass, which might be a timeout. */
    <T> T await(CompletableFuture<T> reply) throws Exception {
        while (!reply.isDone()) {
            test.advance(Duration.ofSeconds(1));
        }
        return reply.get();
    }

    private void startClients() {
        for (int client = 0; client < CLIENTS; client++) {
            List<Request> own = new ArrayList<>();
            for (int n = 0; n < REQUESTS; n++) {
                var transfer = new Command.Transfer(
                        "c" + client + "-" + n,
                        account(random.nextInt(ACCOUNTS)),
                        1 + random.nextInt(400),
                        TIMERS.get(random.nextInt(TIMERS.size())),
                        random.nextInt(4000));
                own.add(new Request(account(random.nextInt(ACCOUNTS)), transfer, new ArrayList<>(), new TreeMap<>()));
            }
            requests.addAll(own);
            long seed = random.nextLong();
            test.actor("client " + client)
                    .newActorFrom((ActorContext<Request> context) ->
                            new Client(seed, context, this::program, own, () -> clientsLeft--)::handle);
        }
    }

    /** A client does not know which process is the owner. */
    private Program program() {
        return programs.get(programs.size() == 1 ? 0 : random.nextInt(programs.size()));
    }

    private void change() throws SQLException {
        if (database.hasCrashed(programs.getLast().store)) {
            begin();
            end(1);
            return;
        }
        projected.attempt(database, program());
        switch (random.nextInt(6)) {
            case 0, 1 -> begin(); // the previous one does not know that it has a successor
            case 2 -> {
                database.crash(programs.getLast().store);
                begin();
                end(1);
            }
            case 3 -> deposit();
            case 4 -> end(1);
            default -> {}
        }
    }

    private void begin() throws SQLException {
        start(database.open(random.nextInt(random.nextBoolean() ? FEW_STEPS : MANY_STEPS)));
    }

    private void start(JdbcStore store) {
        programs.add(new Program(test, ++started, store, topic, () -> random.nextInt(20) == 0));
    }

    /** Ends all processes but the newest ones, with or without a crash. */
    private void end(int left) {
        while (programs.size() > left) {
            Program old = programs.removeFirst();
            if (random.nextBoolean()) {
                database.crash(old.store);
            }
            old.close();
        }
    }

    /** A message of a transaction of the test, which is committed or rolled back. */
    private void deposit() throws SQLException {
        try (var connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            var deposit = new Command.Deposit("d" + (deposits + 1), "", deposits + 1, 100);
            DurableEntities.send(connection, Accounts.TYPE, account(random.nextInt(ACCOUNTS)), deposit);
            if (random.nextBoolean()) {
                connection.commit();
                deposits++;
            } else {
                connection.rollback();
            }
        }
    }

    /** The number of stored messages, including reminders in the future. */
    private long waiting() throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT COUNT(*) FROM fibry_message")) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
