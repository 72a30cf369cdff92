package io.fibry.bench.durable;

import io.fibry.bench.latency.Finding;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A table with the balances of all accounts, which a projection updates with each event, in the transaction that also
 * stores the offset. Afterwards each event must have been counted exactly once.
 */
final class Projection {

    /** The maximum number of events in a transaction. */
    static final int GROUP = 500;

    private static final int ACCOUNTS = 1_000;
    private static final int EVENTS_PER_DEPOSIT = 100;
    private static final int PATIENCE_MINUTES = 3;
    private static final String UPDATE = "UPDATE projected SET balance = balance + ? WHERE id = ?";

    private final Database database;
    private final long events;
    private final AtomicLong handled = new AtomicLong();
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile @Nullable Processors before;
    private volatile long handledBefore;
    private volatile long start;
    private volatile long end;

    private Projection(Database database, long events) {
        this.database = database;
        this.events = events;
    }

    /** A projection that has been started. */
    interface Running {

        /** Stops after the current transaction. */
        void stop() throws Exception;
    }

    /**
     * Stores events, lets a projection handle them, and returns their number per second. The first quarter is the
     * warm-up.
     */
    static List<Finding> measure(Accounts accounts, Database database, long events) throws Exception {
        var projection = new Projection(database, events);
        projection.prepare(accounts);
        Running running = accounts.project(projection);
        try {
            if (!projection.done.await(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
                throw new IllegalStateException("only " + projection.handled + " events were handled");
            }
        } finally {
            running.stop();
        }
        return projection.result();
    }

    private void prepare(Accounts accounts) throws Exception {
        database.execute(
                "CREATE TABLE projected (id VARCHAR(500) PRIMARY KEY, balance BIGINT NOT NULL)",
                "INSERT INTO projected SELECT '" + Accounts.KEY + "' || (n - 1), 0 FROM " + database.numbers(ACCOUNTS));
        for (long i = 0; i < events / EVENTS_PER_DEPOSIT; i++) {
            accounts.deposit(Accounts.KEY + i % ACCOUNTS, EVENTS_PER_DEPOSIT);
        }
        Load.expect("the number of events", events, accounts.events());
        database.settle();
    }

    /** Handles a group of events, each with the key of its account, in a transaction that the caller commits. */
    void handle(Connection connection, List<String> keys) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(UPDATE)) {
            for (String key : keys) {
                statement.setLong(1, 1);
                statement.setString(2, key);
                statement.addBatch();
            }
            int[] unused = statement.executeBatch();
        }
        count(keys.size());
    }

    private void count(int more) {
        long now = handled.addAndGet(more);
        if (before == null && now >= events / 4) {
            before = Processors.now(database);
            start = System.nanoTime();
            handledBefore = now;
        }
        if (now >= events) {
            end = System.nanoTime();
            done.countDown();
        }
    }

    private List<Finding> result() throws SQLException {
        Load.expect("the sum of the balances", events, database.number("SELECT SUM(balance) FROM projected"));
        long count = events - handledBefore;
        var found = new ArrayList<>(List.of(new Finding("rate", count * 1e9 / (end - start), "ops/s")));
        if (before != null) {
            found.addAll(Processors.now(database).since(before, count));
        }
        return found;
    }
}
