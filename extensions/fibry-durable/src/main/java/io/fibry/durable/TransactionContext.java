package io.fibry.durable;

import org.jspecify.annotations.Nullable;

/**
 * The transactions of a framework, for {@link Transactions#tellAfterCommit(io.fibry.ActorRef, Object)}. Implemented by
 * integrations, and found by {@link java.util.ServiceLoader} with the class loader of this module. Must be safe for use
 * by any thread.
 */
public interface TransactionContext {

    /**
     * Returns the innermost transaction of the calling thread, or null if there is none. A suspended transaction does
     * not count. Returns the same object for the same transaction.
     */
    @Nullable
    Transaction current();

    /** A transaction that has not ended. Used only by the thread to which it belongs. */
    interface Transaction {

        /**
         * Registers a task. After a commit, the registered tasks run in the order of registration. After a rollback, or
         * if the outcome is unknown, none of them runs.
         *
         * @param task never throws
         */
        void afterCommit(Runnable task);
    }
}
