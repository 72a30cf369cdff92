package io.fibry;

import io.fibry.kernel.BothCarriers;
import io.fibry.kernel.MdcCarrier;
import java.util.Objects;

/**
 * Propagates the context of a {@code tell} or an {@code ask} to the handler of the message: a log context, a trace, or
 * other thread-local state. Enabled for a system by {@link SystemOptions#context}; see <a
 * href="https://github.com/fibry/fibry/blob/main/docs/context.md">the guide</a>.
 *
 * {@snippet class = "ContextSnippets" region = "own"}
 *
 * <p>Implementations must be thread-safe and quick, and must not use actors. An exception of one of the methods is
 * logged, at most once a second, and the message is sent or handled without its context.
 */
@FunctionalInterface
public interface ContextCarrier {

    /** Captures the context of the calling thread. Called once for each message, by its sender. */
    Captured capture();

    /** A captured context. It may be attached several times, and on several threads concurrently. */
    @FunctionalInterface
    interface Captured {

        /** Attaches this context to the calling thread, in place of its current one. */
        Attached attach();
    }

    /** A context attached to a thread. */
    @FunctionalInterface
    interface Attached extends AutoCloseable {

        /** Restores the previous context. Called by the same thread, in reverse order of the attachments. */
        @Override
        void close();
    }

    /**
     * Returns a carrier of the map of SLF4J's {@link org.slf4j.MDC}, so that log lines of a handler have the entries of
     * the sender. The stacks of {@code MDC.pushByKey} are not propagated.
     */
    static ContextCarrier mdc() {
        return MdcCarrier.INSTANCE;
    }

    /** Returns a carrier that propagates the contexts of this carrier and of the other one. */
    default ContextCarrier and(ContextCarrier other) {
        return new BothCarriers(this, Objects.requireNonNull(other, "other"));
    }
}
