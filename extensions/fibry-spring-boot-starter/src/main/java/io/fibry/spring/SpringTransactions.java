package io.fibry.spring;

import io.fibry.durable.TransactionContext;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Spring's transactions of the calling thread, of any transaction manager that synchronizes transactions. Public for
 * {@link java.util.ServiceLoader} only.
 */
public final class SpringTransactions implements TransactionContext {

    /** Not all applications have {@code spring-tx}. */
    private static final boolean HAS_TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronization",
            SpringTransactions.class.getClassLoader());

    /** Creates an instance. */
    public SpringTransactions() {}

    @Override
    public @Nullable Transaction current() {
        return HAS_TRANSACTIONS ? CommitTasks.current() : null;
    }
}
