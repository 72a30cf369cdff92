package io.fibry.spring;

import io.fibry.durable.TransactionContext.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The tasks that run after the commit of a transaction of Spring. Each transaction has at most one instance, among its
 * synchronizations, which Spring suspends and resumes together with the transaction.
 *
 * <p>The tasks run in {@code afterCompletion}. An {@code afterCommit} is skipped if that of another synchronization
 * throws, although the transaction is committed.
 */
final class CommitTasks implements TransactionSynchronization, Transaction {

    private final List<Runnable> tasks = new ArrayList<>();

    /** The number of tasks at each savepoint. Spring does not report that a savepoint is released. */
    private final Map<Object, Integer> savepoints = new WeakHashMap<>();

    private CommitTasks() {}

    /** Returns the tasks of the current transaction of this thread, or null. */
    static @Nullable CommitTasks current() {
        // Spring may synchronize code without a transaction, such as that of Propagation.SUPPORTS.
        if (!TransactionSynchronizationManager.isSynchronizationActive()
                || !TransactionSynchronizationManager.isActualTransactionActive()) {
            return null;
        }
        for (TransactionSynchronization synchronization : TransactionSynchronizationManager.getSynchronizations()) {
            if (synchronization instanceof CommitTasks existing) {
                return existing;
            }
        }
        var created = new CommitTasks();
        TransactionSynchronizationManager.registerSynchronization(created);
        return created;
    }

    @Override
    public void afterCommit(Runnable task) {
        tasks.add(task);
    }

    @Override
    public void savepoint(Object savepoint) {
        savepoints.put(savepoint, tasks.size());
    }

    /** A savepoint that is not known precedes the first task. */
    @Override
    public void savepointRollback(Object savepoint) {
        tasks.subList(savepoints.getOrDefault(savepoint, 0), tasks.size()).clear();
    }

    @Override
    public void afterCompletion(int status) {
        if (status == STATUS_COMMITTED) {
            tasks.forEach(Runnable::run);
        }
    }
}
