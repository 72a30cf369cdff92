package io.fibry.durable;

import io.fibry.Actor;
import io.fibry.ActorRef;
import io.fibry.ReplyActor;
import io.fibry.ThrowingFunction;
import io.fibry.dispatch.LogLimit;
import io.fibry.dispatch.LogText;
import io.fibry.durable.TransactionContext.Transaction;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages that are sent after the commit of a transaction of an SQL database. A plain {@code tell} within a
 * transaction has two faults: the actor may handle the message before the commit, when its own connection does not see
 * the changes, and it handles the message even if the transaction is rolled back.
 *
 * {@snippet class = "DurableSnippets" region = "commit"}
 *
 * <p>A message belongs to the transaction of the calling thread that began last and has not ended. This is a
 * transaction of {@link #run}, or one of Spring if {@code fibry-spring-boot-starter} is on the class path. Transactions
 * are bound to a thread, platform or virtual; other threads, including the threads of actors and of parallel streams,
 * are outside of it.
 *
 * <p><b>After a commit,</b> the committing thread sends the messages in the order of the calls. A read-only transaction
 * commits, too. A message that is refused, for instance because its actor has been stopped, is logged and does not
 * affect the others: the commit has succeeded. <b>After a rollback,</b> or if the commit fails, no message is sent,
 * even if the outcome of the commit is unknown.
 *
 * <p><b>A message may be lost</b>: it is kept in memory, and if the process ends between the commit and the
 * {@code tell}, it is not sent. Use the stored messages of durable entities for messages that must not be lost.
 *
 * <p><b>An ask within a transaction</b> is not part of it. If the calling thread is that of an actor, pass a timeout to
 * {@code call}: without a timeout, the handler may run on this thread, and then sees its transaction of Spring.
 */
public final class Transactions {

    private static final Logger LOG = LoggerFactory.getLogger(Transactions.class);

    private static final LogLimit REFUSED = new LogLimit();

    /** Not with the class loader of the calling thread: threads of the JDK's common pool do not see all services. */
    private static final List<TransactionContext> CONTEXTS =
            ServiceLoader.load(TransactionContext.class, Transactions.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();

    private Transactions() {}

    /**
     * Runs work in a transaction on a connection of the data source, with the data source's isolation. If the work
     * returns, the transaction is committed, the connection is closed, and then the messages of
     * {@code tellAfterCommit} are sent. If the work or the commit throws, the transaction is rolled back. The
     * connection is closed with the setting of auto-commit that it had.
     *
     * <p>The work must not commit, roll back or close the connection, nor use it from another thread. It may use
     * savepoints; a rollback to a savepoint does not discard messages. A nested call with another data source runs an
     * independent transaction, with its own messages.
     *
     * @param work its result, which may be null, is returned after the commit
     * @return the result of the work
     * @throws IllegalStateException if this thread already runs work in a transaction on the data source
     * @throws Exception any exception of the work, unchanged, or an {@link java.sql.SQLException} of the connection or
     *     the commit
     */
    public static <T extends @Nullable Object> T run(DataSource dataSource, ThrowingFunction<Connection, T> work)
            throws Exception {
        Objects.requireNonNull(dataSource, "dataSource");
        Objects.requireNonNull(work, "work");
        var transaction = JdbcTransaction.begin(dataSource, enclosing());
        T result;
        try {
            result = transaction.commit(work);
        } finally {
            transaction.end();
        }
        transaction.runTasks();
        return result;
    }

    /**
     * Sends a message after the commit of the innermost transaction of this thread. Returns at once.
     *
     * @throws IllegalStateException if this thread has no transaction
     * @throws NullPointerException if an argument is null
     */
    public static <M> void tellAfterCommit(ActorRef<M, ?> ref, M message) {
        Objects.requireNonNull(ref, "ref");
        register(ref::tell, ref::name, message);
    }

    /** As {@link #tellAfterCommit(ActorRef, Object)}, for an actor that is no {@link ActorRef}. */
    public static <M> void tellAfterCommit(Actor<M> actor, M message) {
        Objects.requireNonNull(actor, "actor");
        register(actor::tell, actor::name, message);
    }

    /**
     * As {@link #tellAfterCommit(ActorRef, Object)}, for an actor that replies. It is both an {@link Actor} and an
     * {@link ActorRef}, so the compiler could not choose between the other two methods.
     */
    public static <M> void tellAfterCommit(ReplyActor<M, ?> actor, M message) {
        ActorRef<M, ?> ref = actor;
        tellAfterCommit(ref, message);
    }

    private static <M> void register(Consumer<M> recipient, Supplier<String> name, M message) {
        Objects.requireNonNull(message, "message");
        innermost().afterCommit(new Tell<>(recipient, name, message));
    }

    private static Transaction innermost() {
        JdbcTransaction own = JdbcTransaction.current();
        for (Transaction other : enclosing()) {
            if (own == null || !own.isInside(other)) {
                return other;
            }
        }
        if (own == null) {
            throw new IllegalStateException("this thread has no transaction: call tellAfterCommit within"
                    + " Transactions.run or within a transaction of Spring, on the thread of the transaction;"
                    + " elsewhere, call tell");
        }
        return own;
    }

    /** Returns the current transactions of all frameworks. */
    private static List<Transaction> enclosing() {
        return CONTEXTS.stream()
                .map(TransactionContext::current)
                .filter(Objects::nonNull)
                .toList();
    }

    private record Tell<M>(Consumer<M> recipient, Supplier<String> name, M message) implements Runnable {

        @Override
        public void run() {
            try {
                recipient.accept(message);
            } catch (Throwable e) { // of any kind: the caller must not take it for a failure of the commit
                if (REFUSED.tryLog()) {
                    LOG.error(
                            "A transaction has been committed, but its message to the actor {} was refused, and {}"
                                    + " others before",
                            LogText.plain(name.get()),
                            REFUSED.takeSuppressed(),
                            LogText.plainTrace(e));
                }
            }
        }
    }
}
