package io.fibry.durable;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Stores changes of many entities with few commits: one transaction runs at a time, and all changes that arrive
 * meanwhile share the next one.
 *
 * <p>If a statement fails, the transaction is rolled back, and each of its changes is repeated in a transaction of its
 * own: only the change that causes the failure fails. If the commit fails, the outcome is unknown and all changes fail.
 * The transaction of a single change may include the commit: after any failure, its outcome is unknown.
 *
 * <p><b>Hand-over.</b> The changes in the queue and in the running transaction are counted. A change is added to
 * the queue before it is counted. The thread that increments the count from 0 starts a transaction. A transaction takes
 * no more changes than are counted, so it finds them all in the queue. It subtracts its changes after its end, and
 * starts the next one unless the count is 0. A change is therefore either counted before that subtraction, and the next
 * transaction starts, or it increments the count from 0.
 */
final class GroupCommit {

    private static final int MAX_CHANGES = 256;

    /** A transaction takes no further change after this number of bytes. */
    private static final long MAX_BYTES = 4 << 20;

    private final JdbcConnections connections;
    private final int timeout;
    private final Queue<Pending> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final ConcurrentMap<String, ChangeCounts> counts = new ConcurrentHashMap<>();

    /** The timeout of each statement is in seconds. */
    GroupCommit(JdbcConnections connections, int timeout) {
        this.connections = connections;
        this.timeout = timeout;
    }

    private record Pending(Write write, long start, CompletableFuture<@Nullable Void> result) {

        void fail(Throwable failure) {
            result.completeExceptionally(failure);
        }
    }

    /** Returns the counts of a type. */
    ChangeCounts counts(String type) {
        ChangeCounts known = counts.get(type);
        if (known != null) {
            return known;
        }
        var created = new ChangeCounts();
        ChangeCounts other = counts.putIfAbsent(type, created);
        return other == null ? created : other;
    }

    /**
     * Stores a change. If it is stale, the future fails with a {@link StaleStateException}. A change whose future is
     * cancelled before its transaction starts is skipped.
     */
    CompletableFuture<@Nullable Void> write(Write write) {
        var pending = new Pending(write, System.nanoTime(), new CompletableFuture<>());
        queue.add(pending);
        if (count.getAndIncrement() == 0) {
            next();
        }
        return pending.result;
    }

    private void next() {
        List<Pending> group = List.of();
        try {
            group = take();
            int size = group.size();
            var transaction = new Transaction(group, timeout);
            whenEnded(transaction, connections.transactSerially(transaction), () -> {
                if (count.addAndGet(-size) != 0) {
                    next();
                }
            });
        } catch (Throwable e) {
            reject(group, reason(e));
        }
    }

    private List<Pending> take() {
        int most = Math.min(count.get(), MAX_CHANGES);
        List<Pending> group = new ArrayList<>(most);
        for (long bytes = 0; group.size() < most && bytes < MAX_BYTES; ) {
            Pending pending = queue.remove();
            group.add(pending);
            bytes += pending.write.size();
        }
        return group;
    }

    /** No transaction can be started: fails all changes. A loop, because their number is not limited. */
    private void reject(List<Pending> group, Throwable reason) {
        group.forEach(pending -> pending.fail(reason));
        for (int left = count.addAndGet(-group.size()); left > 0; left = count.decrementAndGet()) {
            queue.remove().fail(reason);
        }
    }

    private void whenEnded(Transaction transaction, CompletableFuture<Set<Write>> result, Runnable ended) {
        List<Pending> group = transaction.group;
        CompletableFuture<?> unused = result.whenComplete((stale, failure) -> {
            if (failure == null) {
                succeed(transaction.started, stale);
                ended.run();
            } else if (group.size() > 1 && transaction.hasFailed) {
                startEach(group, ended);
            } else {
                group.forEach(pending -> pending.fail(failure));
                ended.run();
            }
        });
    }

    private void succeed(List<Pending> group, Set<Write> stale) {
        long now = System.nanoTime();
        var types = new HashSet<String>();
        for (Pending pending : group) {
            if (stale.contains(pending.write)) {
                pending.fail(WriteGroup.stale(pending.write));
            } else {
                counts(pending.write.type()).stored(now - pending.start, types.add(pending.write.type()));
                pending.result.complete(null);
            }
        }
    }

    /** In parallel: a change that waits for a lock does not delay the others beyond their timeout. */
    private void startEach(List<Pending> group, Runnable ended) {
        var left = new AtomicInteger(group.size());
        for (Pending pending : group) {
            Runnable oneEnded = () -> {
                if (left.decrementAndGet() == 0) {
                    ended.run();
                }
            };
            try {
                var transaction = new Transaction(List.of(pending), timeout);
                whenEnded(transaction, connections.transact(transaction), oneEnded);
            } catch (Throwable e) {
                pending.fail(reason(e));
                oneEnded.run();
            }
        }
    }

    private static Throwable reason(Throwable failure) {
        return failure instanceof RejectedExecutionException
                ? new IllegalStateException("the store has been closed", failure)
                : failure;
    }

    private static final class Transaction implements JdbcConnections.Work<Set<Write>> {

        private final List<Pending> group;
        private final int timeout;

        /** The changes that had not been cancelled. */
        private volatile List<Pending> started = List.of();

        /** Whether a statement has failed. Without it, there was no connection, or the commit has failed. */
        private volatile boolean hasFailed;

        Transaction(List<Pending> group, int timeout) {
            this.group = group;
            this.timeout = timeout;
        }

        @Override
        public Set<Write> with(Connection connection) throws SQLException {
            List<Pending> open =
                    group.stream().filter(pending -> !pending.result.isDone()).toList();
            started = open;
            if (open.isEmpty()) {
                return Set.of();
            }
            List<Write> writes = open.stream().map(Pending::write).toList();
            try {
                return group.size() == 1
                        ? WriteGroup.runAndCommit(connection, writes, timeout)
                        : WriteGroup.run(connection, writes, timeout); // may be repeated
            } catch (Throwable e) {
                hasFailed = true;
                throw e;
            }
        }

        @Override
        public boolean begins() {
            return true;
        }
    }
}
