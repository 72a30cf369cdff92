package io.fibry.kernel;

import io.fibry.ContextCarrier;
import io.fibry.ContextCarrier.Attached;
import io.fibry.ContextCarrier.Captured;
import io.fibry.dispatch.LogLimit;
import org.jspecify.annotations.Nullable;

/** Calls the carriers of users. Their exceptions are logged, and affect no message. */
final class ContextPropagation {

    private static final LogLimit FAILURES = new LogLimit();

    private ContextPropagation() {}

    /** The context of the calling thread; null if the system has no carrier. */
    static @Nullable Captured capture(@Nullable ContextCarrier carrier) {
        if (carrier == null) {
            return null;
        }
        try {
            return carrier.capture();
        } catch (Exception e) {
            failed("captured", e);
            return null;
        }
    }

    /** Attaches a context, other than for a handler. */
    static @Nullable Attached attach(@Nullable Captured context) {
        if (context == null) {
            return null;
        }
        try {
            return context.attach();
        } catch (Throwable t) { // also if memory runs out: the message is handled without its context
            failed("attached", t);
            return null;
        }
    }

    /** As above, to handle a message; the name of the actor is null if it has none. */
    static @Nullable Attached attach(@Nullable Captured context, @Nullable String actor, Object message) {
        if (context == null) {
            return null;
        }
        try {
            return context.attach(actor, message);
        } catch (Throwable t) { // as above
            failed("attached", t);
            return null;
        }
    }

    /** Detaches the context of a handler that is suspended. Returns that of its rest; null if it is unchanged. */
    static @Nullable Captured suspend(@Nullable Attached attached) {
        try {
            return attached == null ? null : attached.suspend();
        } catch (Throwable t) {
            failed("suspended", t);
            return null;
        }
    }

    /** Detaches a context in which a message was handled; the failure is null if the handler has returned. */
    static void detach(@Nullable Attached attached, @Nullable Throwable failure) {
        try {
            if (attached != null && failure != null) {
                attached.failed(failure);
            }
        } catch (Throwable t) {
            failed("informed of a failure", t);
        } finally {
            detach(attached);
        }
    }

    static void detach(@Nullable Attached attached) {
        try {
            if (attached != null) {
                attached.close();
            }
        } catch (Throwable t) {
            failed("detached", t);
        }
    }

    private static void failed(String what, Throwable t) {
        try {
            if (FAILURES.tryLog()) {
                KernelLog.context(what, t);
            }
        } catch (Throwable unlogged) { // memory is exhausted
            KernelLog.failedToReport("log line about a context", unlogged);
        }
    }
}
