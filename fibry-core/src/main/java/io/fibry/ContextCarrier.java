package io.fibry;

import java.util.Objects;

/**
 * Carries what surrounds a {@code tell} or an {@code ask} to the handler of the message: a log context, a trace, whatever is kept in
 * thread-locals. Switched on for a system by {@link SystemOptions#context}; see
 * <a href="https://github.com/fibry/fibry/blob/main/docs/context.md">the guide</a>.
 *
 * {@snippet class = "ContextSnippets" region = "own"}
 *
 * <p>Any thread may call it, and several at once. It must be quick, and must not use actors. An exception of one of its methods is
 * logged, at most once a second, and the message goes on without its context.
 */
@FunctionalInterface
public interface ContextCarrier {

    /** Captures the context of the calling thread. Called once for each message, by its sender. */
    Captured capture();

    /** A context that was captured. It may be attached several times, and on several threads at once. */
    @FunctionalInterface
    interface Captured {

        /** Puts this context onto the calling thread, instead of the one that is there. */
        Attached attach();
    }

    /** A context on its thread. */
    @FunctionalInterface
    interface Attached extends AutoCloseable {

        /** Puts back what was there before. Called by the same thread, the last one attached first. */
        @Override
        void close();
    }

    /**
     * The map of SLF4J's {@link org.slf4j.MDC}, so that log lines of a handler have what the sender has put there. The stacks of
     * {@code MDC.pushByKey} are not carried.
     */
    static ContextCarrier mdc() {
        return MdcCarrier.INSTANCE;
    }

    /** Carries what this one carries and what the other one does. */
    default ContextCarrier and(ContextCarrier other) {
        return new BothCarriers(this, Objects.requireNonNull(other, "other"));
    }
}
