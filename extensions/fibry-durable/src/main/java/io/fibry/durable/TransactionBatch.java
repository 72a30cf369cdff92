package io.fibry.durable;

import io.fibry.durable.EventPage.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Handles events and stores the position in one transaction, which keeps the row of the slice locked. Another node that
 * finds the row locked skips the slice. If the node loses its connection, the database rolls back and unlocks the row,
 * and a commit that arrives later fails: no two transactions handle the same event.
 */
final class TransactionBatch<E> implements Batch {

    /**
     * The states of failures that are reported after the statement that has caused them: an aborted transaction, a
     * deferred constraint, and an exception of a deferred trigger.
     */
    private static final Pattern DELAYED = Pattern.compile("25P02|23...|P0...");

    private final EventSource<E> source;
    private final Projection.Projector<E> projector;
    private final Halt halt;

    TransactionBatch(EventSource<E> source, Projection.Projector<E> projector, Halt halt) {
        this.source = source;
        this.projector = projector;
        this.halt = halt;
    }

    @Override
    public Outcome run(int slice, int limit) throws Exception {
        var transaction = new Transaction(slice, limit);
        try {
            return source.store().transact(transaction);
        } catch (SQLException e) {
            throw transaction.reason(e);
        }
    }

    private final class Transaction implements JdbcConnections.Work<Outcome> {

        private final int slice;
        private final int limit;
        /** The events that have been handled, and will be lost if the transaction fails. */
        private List<Row> handled = List.of();

        private boolean isLastSlow;

        Transaction(int slice, int limit) {
            this.slice = slice;
            this.limit = limit;
        }

        @Override
        public Outcome with(Connection connection) throws SQLException {
            EventPage page = source.rows().lock(connection, slice, limit);
            if (page == null) {
                return Outcome.NONE;
            }
            try (var guarded = new GuardedConnection(connection)) {
                handle(connection, guarded.connection(), page.rows());
            }
            int events = handled.size();
            long position = page.position(events);
            if (position != page.after()) {
                source.rows().advance(connection, slice, position);
            }
            return new Outcome(events, page.hasMore(events));
        }

        private void handle(Connection connection, Connection guarded, List<Row> rows) throws SQLException {
            var time = new BatchTime(halt); // does not include the lock and the read, or a slow batch would do nothing
            for (int i = 0; i < rows.size() && !isLastSlow && time.mayContinue(); i++) {
                long start = System.nanoTime();
                try {
                    projector.project(guarded, source.decode(rows.get(i)));
                } catch (Throwable e) {
                    if (!isSlow(start) && !connection.isValid(source.rows().timeout())) {
                        throw new SQLException("the connection was lost while an event was handled: " + e, e);
                    }
                    throw new EventFailure(i, 0, rows.get(i), e);
                } finally {
                    Thread.interrupted(); // an interrupt by the program would close the file of H2
                }
                isLastSlow = isSlow(start);
                handled = rows.subList(0, i + 1);
            }
        }

        private boolean isSlow(long start) {
            return System.nanoTime() - start >= TimeUnit.SECONDS.toNanos(PoolConnections.LONG_IDLE_SECONDS);
        }

        /**
         * Attributes a failure after the projector has returned: its statements may be the reason, or the time that it
         * has taken. In the first case, the event is unknown; half of the batch is repeated, until one event is left.
         */
        Exception reason(SQLException e) {
            if (handled.isEmpty()) {
                return e;
            }
            if (isLastSlow) {
                return new EventFailure(handled.size() - 1, 0, handled.getLast(), e);
            }
            return DELAYED.matcher(String.valueOf(e.getSQLState())).matches()
                    ? new EventFailure(handled.size() / 2, 0, handled.getLast(), e)
                    : e;
        }
    }
}
