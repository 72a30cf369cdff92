package io.fibry.kernel;

import io.fibry.ContextCarrier.Attached;
import io.fibry.ContextCarrier.Captured;
import io.fibry.dispatch.SuspendedHandler;
import io.fibry.flight.EventStart;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A suspended handler whose message has {@link Instrumentation}. Its steps run in the context of the message, and the
 * message is recorded when the handler is complete.
 */
final class InstrumentedHandler implements SuspendedHandler {

    private final SuspendedHandler handler;
    private final ActorState<?> actor;
    private final Envelope envelope;
    private final @Nullable EventStart run;
    private final InstrumentedEnvelope.@Nullable Sampled sampled;
    private final long begin;

    /** The context of the next steps; null if there is none. Consumer only, like the next fields. */
    private @Nullable Captured context;

    /** Whether the handler is complete, and its message recorded. */
    private boolean ended;

    private @Nullable Object result;
    private @Nullable Throwable failure;

    /** Detaches the context from the calling thread, whose handler is suspended. */
    InstrumentedHandler(
            SuspendedHandler handler,
            ActorState<?> actor,
            Envelope envelope,
            @Nullable Attached attached,
            @Nullable EventStart run,
            InstrumentedEnvelope.@Nullable Sampled sampled,
            long begin) {
        this.handler = handler;
        this.actor = actor;
        this.envelope = envelope;
        this.run = run;
        this.sampled = sampled;
        this.begin = begin;
        context = Instrumentation.context(envelope);
        suspend(attached);
    }

    private void suspend(@Nullable Attached attached) {
        Captured rest = ContextPropagation.suspend(attached);
        if (rest != null) {
            context = rest;
        }
    }

    @Override
    public void suspended(Resumption resumption) {
        handler.suspended(resumption);
    }

    @Override
    public void runSteps() {
        Attached attached = ContextPropagation.attach(context);
        handler.runSteps();
        if (handler.isComplete()) {
            end(attached);
        } else {
            suspend(attached);
        }
    }

    private void end(@Nullable Attached attached) {
        try {
            result = handler.result();
        } catch (Throwable t) {
            failure = t;
        }
        ended = true;
        InstrumentedHandling.ended(actor, envelope, attached, failure, run, sampled, begin);
    }

    /** Also if the handler has become complete after its last step, and its message is not recorded yet. */
    @Override
    public boolean hasWork() {
        return handler.hasWork();
    }

    @Override
    public boolean isComplete() {
        return ended;
    }

    @Override
    public @Nullable Object result() throws Exception {
        if (failure != null) {
            rethrow(failure);
        }
        return result;
    }

    /** Throws any throwable, also one that is neither an exception nor an error, as code in Kotlin does. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void rethrow(Throwable failure) throws T {
        throw (T) failure;
    }

    @Override
    public void interrupted() {
        handler.interrupted();
    }

    @Override
    public @Nullable CompletableFuture<?> awaited() {
        return handler.awaited();
    }
}
