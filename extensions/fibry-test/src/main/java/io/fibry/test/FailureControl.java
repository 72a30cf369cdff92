package io.fibry.test;

import io.fibry.Incident;
import io.fibry.dispatch.Control;
import io.fibry.dispatch.ScheduledActor;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The failures of a run: injected ones, expected ones, and failures that fail the test. */
abstract class FailureControl extends Control {

    private final Faults faults;
    private final Trace trace;
    private final ExpectedFailures expected = new ExpectedFailures();
    private final OpenFutures futures = new OpenFutures();
    private final Set<ScheduledActor> suspended = new LinkedHashSet<>();

    FailureControl(Faults faults, Trace trace) {
        this.faults = faults;
        this.trace = trace;
    }

    final Faults faults() {
        return faults;
    }

    final Trace trace() {
        return trace;
    }

    final ExpectedFailures expected() {
        return expected;
    }

    final OpenFutures futures() {
        return futures;
    }

    /** The actors whose handlers are suspended. */
    final Set<ScheduledActor> suspended() {
        return suspended;
    }

    /** The run has failed. The first failure counts. Any thread. */
    abstract void fail(Throwable t);

    abstract boolean isOver();

    abstract Strand current();

    /** The name of the actor in the trace. */
    abstract String nameInTrace(ScheduledActor actor);

    // ---- called by the kernel

    @Override
    public final @Nullable Throwable fault(ScheduledActor actor) {
        return faults.next(actor);
    }

    @Override
    public final boolean findsFull(ScheduledActor actor) {
        return faults.findsFull(actor);
    }

    /** After the end of the run, failures of actors are a consequence of that end. */
    @Override
    public final void failed(ScheduledActor actor, String what, @Nullable Object message, Throwable t) {
        String name = nameInTrace(actor);
        if (!isOver() && !faults.isInjected(actor, t) && !expected.take(actor.name(), name, t)) {
            fail(ExpectedFailures.unexpected(name, what, message, t));
        }
    }

    /** An assertion fails the test with its own text, also if an asker gets it. */
    final void happened(Incident incident) {
        Throwable t = incident.failure();
        if (t != null) {
            trace.fails(current(), t);
            if (t instanceof AssertionError && !expected.isExpected(incident.actor(), current().name, t)) {
                fail(t);
            }
        }
    }

    @Override
    public final void made(CompletableFuture<?> future) {
        futures.add(future);
    }

    @Override
    public final void suspended(ScheduledActor actor) {
        suspended.add(actor);
    }

    @Override
    public final void resumed(ScheduledActor actor) {
        suspended.remove(actor);
    }

    @Override
    public final void refuse(String what) {
        throw new UnsupportedOperationException(
                "a test has no " + what + ": it would depend on real time and other threads."
                        + " Call what is behind it, or test with a plain ActorSystem, outside a TestSystem");
    }
}
