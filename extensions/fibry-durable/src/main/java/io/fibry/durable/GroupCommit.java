package io.fibry.durable;

import io.fibry.durable.DurableStore.Write;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Stores changes of many entities with few commits: all changes that arrive while a transaction runs share the next
 * one. Each lane runs one transaction at a time. A slice belongs to one lane, so the lanes of a process do not wait for
 * each other's locks.
 *
 * <p>If a statement fails, the transaction is rolled back, and each of its changes is repeated in a transaction of its
 * own: only the change that causes the failure fails. If the commit fails, the outcome is unknown and all changes fail.
 */
final class GroupCommit {

    private static final int MAX_CHANGES = 256;

    /** The SQLSTATE of a duplicate key. */
    private static final String DUPLICATE = "23505";

    private final JdbcConnections connections;
    private final int timeout;
    private final List<Lane> lanes = new ArrayList<>();

    /** The timeout of each statement is in seconds. */
    GroupCommit(JdbcConnections connections, int lanes, int timeout) {
        this.connections = connections;
        this.timeout = timeout;
        for (int i = 0; i < lanes; i++) {
            this.lanes.add(new Lane());
        }
    }

    /**
     * Stores a change. If it is stale, the future fails with a {@link StaleStateException}. A change whose future is
     * cancelled before its transaction starts is skipped.
     */
    CompletableFuture<@Nullable Void> write(Write write) {
        return lanes.get(Slices.of(write.type(), write.id()) % lanes.size()).write(write);
    }

    private record Pending(Write write, CompletableFuture<@Nullable Void> result) {

        void fail(Throwable failure) {
            result.completeExceptionally(failure);
        }

        void end(boolean isStale) {
            if (isStale) {
                fail(stale(write));
            } else {
                result.complete(null);
            }
        }
    }

    private static StaleStateException stale(Write write) {
        return new StaleStateException(write.type(), write.id(), write.expected());
    }

    /**
     * Changes in FIFO order, and the transaction that stores them.
     *
     * <p>A lane counts its changes: those in the queue and those of the running transaction. A change is added to the
     * queue before it is counted. The thread that increments the count from 0 starts a transaction. A transaction takes
     * no more changes than are counted, so it finds them all in the queue. It subtracts its changes after its end, and
     * starts the next one unless the count is 0. A change is therefore either counted before that subtraction, and the
     * next transaction starts, or it increments the count from 0.
     */
    private final class Lane {

        private final Queue<Pending> queue = new ConcurrentLinkedQueue<>();
        private final AtomicInteger count = new AtomicInteger();

        CompletableFuture<@Nullable Void> write(Write write) {
            var pending = new Pending(write, new CompletableFuture<>());
            queue.add(pending);
            if (count.getAndIncrement() == 0) {
                next();
            }
            return pending.result;
        }

        private void next() {
            List<Pending> group = new ArrayList<>();
            for (int left = Math.min(count.get(), MAX_CHANGES); left > 0; left--) {
                group.add(queue.remove());
            }
            run(group, () -> {
                if (count.addAndGet(-group.size()) != 0) {
                    next();
                }
            });
        }

        private void run(List<Pending> group, Runnable ended) {
            var transaction = new Transaction(group, timeout);
            CompletableFuture<?> unused = transact(transaction).whenComplete((stale, failure) -> {
                if (failure == null) {
                    group.forEach(pending -> pending.end(stale.contains(pending.write)));
                    ended.run();
                } else if (group.size() == 1 || transaction.isComplete) {
                    group.forEach(pending -> pending.fail(failure));
                    ended.run();
                } else {
                    runEach(group.iterator(), ended);
                }
            });
        }

        private void runEach(Iterator<Pending> group, Runnable ended) {
            if (group.hasNext()) {
                run(List.of(group.next()), () -> runEach(group, ended));
            } else {
                ended.run();
            }
        }

        private CompletableFuture<Set<Write>> transact(Transaction transaction) {
            try {
                return connections.transact(transaction);
            } catch (RejectedExecutionException e) {
                return CompletableFuture.failedFuture(new IllegalStateException("the store has been closed", e));
            }
        }
    }

    private static final class Transaction implements JdbcConnections.Work<Set<Write>> {

        private final List<Pending> group;
        private final int timeout;

        /** Whether all statements have succeeded: a failure is then a failure of the commit. */
        private volatile boolean isComplete;

        Transaction(List<Pending> group, int timeout) {
            this.group = group;
            this.timeout = timeout;
        }

        @Override
        public Set<Write> with(Connection connection) throws SQLException {
            List<Write> writes = group.stream()
                    .filter(pending -> !pending.result.isDone())
                    .map(Pending::write)
                    .toList();
            try {
                Set<Write> stale = WriteGroup.run(connection, writes, timeout);
                isComplete = true;
                return stale;
            } catch (SQLException e) {
                if (writes.size() == 1 && DUPLICATE.equals(e.getSQLState())) {
                    throw stale(writes.getFirst()); // the entity exists, although the change expects a new one
                }
                throw e;
            }
        }
    }
}
