package io.fibry.bench.durable;

import io.fibry.bench.latency.Finding;
import io.fibry.codec.RecordCodec;
import io.fibry.durable.Change;
import io.fibry.durable.Durable;
import io.fibry.durable.DurableEntities;
import io.fibry.durable.DurableType;
import io.fibry.durable.JdbcStore;
import io.fibry.durable.StateTable;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Reminders of entities that are not in memory. Many are pending; then others are due at once, each of an entity of its
 * own. Afterwards each due reminder must have been handled once, and the pending ones must be left.
 */
final class Reminders {

    private static final DurableType<Long, @Nullable Void> TYPE =
            DurableType.of("reminded", RecordCodec.of(Long.class));
    private static final int PATIENCE_MINUTES = 3;

    private final Database database;
    private final long pending;
    private final long due;
    private final AtomicLong handled = new AtomicLong();
    private final CountDownLatch first = new CountDownLatch(1);
    private final CountDownLatch last = new CountDownLatch(1);

    private Reminders(Database database, long pending, long due) {
        this.database = database;
        this.pending = pending;
        this.due = due;
    }

    /** Returns the reminders that are handled per second, and the heap of the program while they are pending. */
    static List<Finding> measure(Database database, long pending, long due) throws Exception {
        try (FibryStore opened = FibryStore.open(database)) {
            return new Reminders(database, pending, due).measure(opened.store());
        }
    }

    private List<Finding> measure(JdbcStore store) throws Exception {
        insert("pending", pending, System.currentTimeMillis() + TimeUnit.HOURS.toMillis(1));
        database.settle("fibry_message");
        var table = StateTable.of(store, TYPE, TYPE.messages(), new Counter());
        try (var entities = DurableEntities.start(table)) {
            TimeUnit.SECONDS.sleep(2); // the delivery looks into the table several times
            System.gc();
            double heap =
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
            insert("due", due, 1);
            first.await();
            Processors before = Processors.now(database);
            long start = System.nanoTime();
            long handledBefore = handled.get();
            if (!last.await(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
                throw new IllegalStateException("only " + handled + " reminders were handled");
            }
            long count = due - handledBefore;
            double seconds = (System.nanoTime() - start) / 1e9;
            var found = new ArrayList<>(List.of(new Finding("rate", count / seconds, "ops/s")));
            found.addAll(Processors.now(database).since(before, count));
            found.add(new Finding("heap", heap, "bytes"));
            Load.expect("the number of entities in memory", due, entities.size());
            check();
            return found;
        }
    }

    private void insert(String key, long number, long time) throws SQLException {
        String message = database.literal(TYPE.messages().encode(1L));
        database.execute("INSERT INTO fibry_message (type, id, reminder, due, attempt_at, attempts, message) SELECT '"
                + TYPE.name() + "', '" + key + "' || n, 'reminder', " + time + ", " + time + ", 0, " + message
                + " FROM "
                + database.numbers(number));
    }

    private void check() throws SQLException, InterruptedException {
        Load.expect("the number of handled reminders", due, handled.get());
        String left = "SELECT COUNT(*) FROM fibry_message";
        for (long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
                database.number(left) > pending && System.nanoTime() < end; ) {
            TimeUnit.MILLISECONDS.sleep(10); // the changes of the last reminders are being stored
        }
        Load.expect("the number of pending reminders", pending, database.number(left));
        Load.expect("the number of stored changes", due, database.number("SELECT SUM(revision) FROM fibry_entity"));
    }

    private final class Counter implements Durable<Long, Long, @Nullable Void> {

        @Override
        public Long initial() {
            return 0L;
        }

        @Override
        public Change<Long, @Nullable Void> handle(Long sum, Long message) {
            first.countDown();
            if (handled.incrementAndGet() == due) {
                last.countDown();
            }
            return Change.to(sum + message);
        }
    }
}
