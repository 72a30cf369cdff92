package io.fibry;

import io.fibry.kernel.BothCarriers;
import io.fibry.kernel.MdcCarrier;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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

        /**
         * Attaches this context to the calling thread, which is about to handle a message in it. Called instead of
         * {@link #attach()} for each run of a handler, and again if the message has been stashed. By default, calls
         * {@link #attach()}.
         *
         * @param actor the name of the actor; null if it has no name. A label and a generated name are not passed
         * @param message the message; the {@link Runnable} of a task; the result of a stage for {@code pipeToSelf},
         *     whose message does not exist yet; the {@link ActorExit} of a watched actor
         */
        default Attached attach(@Nullable String actor, Object message) {
            return attach();
        }
    }

    /** A context attached to a thread. */
    @FunctionalInterface
    interface Attached extends AutoCloseable {

        /**
         * Called if the handler of the message has thrown an exception, before {@link #close} and by the same thread.
         * By default, does nothing.
         */
        default void failed(Throwable failure) {}

        /**
         * Called instead of {@link #close}, by the same thread, if the handler is suspended before its message is
         * handled, as a suspending function of Kotlin is. Restores the previous context. Each later part of the handler
         * runs in the context that this method returns, which is attached by {@link Captured#attach()}; at the end of
         * the part, {@code suspend} is called again, or {@code close} at the end of the last part.
         *
         * <p>By default, calls {@link #close}, and returns null: the captured context of the message is attached again.
         */
        default @Nullable Captured suspend() {
            close();
            return null;
        }

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
