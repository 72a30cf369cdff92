package io.fibry.durable;

import io.fibry.ThrowingFunction;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.LogText;
import io.fibry.dispatch.ScheduledActor;
import io.fibry.durable.TransactionContext.Transaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transaction of {@link Transactions#run}. Confined to its thread.
 *
 * <p>The transaction is in a thread-local, because the code that sends messages has no reference to it. It is there
 * while {@code run} is on the stack, so a virtual thread holds it no longer than a platform thread. An actor that waits
 * for a reply may run another actor on its stack, which is not part of its transaction. A transaction therefore also
 * belongs to an actor.
 */
final class JdbcTransaction implements Transaction {

    private static final Logger LOG = LoggerFactory.getLogger(Transactions.class);

    private static final ThreadLocal<@Nullable JdbcTransaction> INNERMOST = new ThreadLocal<>();

    private final DataSource dataSource;
    private final List<Transaction> enclosing;
    private final @Nullable JdbcTransaction outer;
    private final @Nullable ScheduledActor actor = runningActor();
    private final List<Runnable> tasks = new ArrayList<>();

    private JdbcTransaction(DataSource dataSource, List<Transaction> enclosing, @Nullable JdbcTransaction outer) {
        this.dataSource = dataSource;
        this.enclosing = enclosing;
        this.outer = outer;
    }

    /** Begins a transaction within these transactions of frameworks, and within all others of this thread. */
    static JdbcTransaction begin(DataSource dataSource, List<Transaction> enclosing) {
        var transaction = new JdbcTransaction(dataSource, enclosing, INNERMOST.get());
        for (JdbcTransaction t = transaction.outer; t != null && t.actor == transaction.actor; t = t.outer) {
            if (t.dataSource == dataSource) {
                throw new IllegalStateException("this thread already runs a transaction on the data source: pass its"
                        + " connection to the code that needs it");
            }
        }
        INNERMOST.set(transaction);
        return transaction;
    }

    /** Returns the innermost transaction of this thread and the running actor, or null. */
    static @Nullable JdbcTransaction current() {
        JdbcTransaction innermost = INNERMOST.get();
        return innermost != null && innermost.actor == runningActor() ? innermost : null;
    }

    /** Returns the innermost actor on the stack of this thread, or null. */
    private static @Nullable ScheduledActor runningActor() {
        ActorThread thread = ActorThread.ofCurrentThread();
        var innermost = new ArrayList<ScheduledActor>(1);
        if (thread != null) {
            thread.forEachCurrent(innermost::add);
        }
        return innermost.isEmpty() ? null : innermost.getLast();
    }

    boolean isInside(Transaction other) {
        return enclosing.contains(other);
    }

    /** Must be called by the thread that has begun the transaction, after all transactions inside it have ended. */
    void end() {
        if (outer == null) {
            INNERMOST.remove();
        } else {
            INNERMOST.set(outer);
        }
    }

    @Override
    public void afterCommit(Runnable task) {
        tasks.add(task);
    }

    void runTasks() {
        tasks.forEach(Runnable::run);
    }

    <T extends @Nullable Object> T commit(ThrowingFunction<Connection, T> work) throws Exception {
        Connection connection = dataSource.getConnection();
        boolean autoCommit = false;
        T result;
        try {
            autoCommit = connection.getAutoCommit();
            if (autoCommit) {
                connection.setAutoCommit(false);
            }
            result = work.apply(connection);
            connection.commit();
        } catch (Throwable e) {
            rollBack(connection, autoCommit, e);
            throw e;
        }
        release(connection, autoCommit);
        return result;
    }

    /** Leaves auto-commit disabled if the rollback fails: to enable it would commit. */
    private static void rollBack(Connection connection, boolean autoCommit, Throwable failure) {
        try (connection) {
            connection.rollback();
            if (autoCommit) {
                connection.setAutoCommit(true);
            }
        } catch (SQLException | RuntimeException e) {
            if (e != failure) {
                failure.addSuppressed(e);
            }
        }
    }

    /** Never throws: the caller would take the exception for a failure of the transaction. */
    private static void release(Connection connection, boolean autoCommit) {
        try (connection) {
            if (autoCommit) {
                connection.setAutoCommit(true);
            }
        } catch (SQLException | RuntimeException e) {
            LOG.warn(
                    "A transaction has been committed, but its connection could not be released",
                    LogText.plainTrace(e));
        }
    }
}
