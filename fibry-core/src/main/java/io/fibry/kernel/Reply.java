package io.fibry.kernel;

import io.fibry.BehaviorCancelledException;
import io.fibry.ContextCarrier.Attached;
import io.fibry.ContextCarrier.Captured;
import io.fibry.ReplyTo;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.AskFuture;
import io.fibry.dispatch.Control;
import io.fibry.dispatch.ControlledFuture;
import io.fibry.dispatch.ScheduledActor;
import io.fibry.dispatch.Worker;
import io.fibry.flight.AskTrace;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The reply to one {@code ask}, and the strategy of a waiting thread before it parks.
 *
 * <p>An actor that waits without a timeout may run the replying actor itself, if that is the next one of its worker. It
 * runs on the same stack, which saves a thread switch: see {@link Worker#runUntil}. This is not possible with a
 * timeout, which could not be met.
 *
 * <p>Any other waiting thread delays parking briefly. If a worker is polling for messages, the thread first spins for a
 * few reads of the reply, as {@code java.util.concurrent.SynchronousQueue} does. Then a virtual thread yields once,
 * after which the reply has usually arrived. Parking and unparking is more expensive.
 */
class Reply<R extends @Nullable Object> extends AskFuture<R> implements ReplyTo<R> {

    // Marks of nodes in a mailbox that are not asks: code of Actor.execute, a Signal, a MessageSegment. Never
    // completed.
    static final Reply<Object> OF_TASK = new Reply<>(null);
    static final Reply<Object> OF_SIGNAL = new Reply<>(null);
    static final Reply<Object> OF_SEGMENT = new Reply<>(null);

    /** Returned by a behavior whose reply is completed elsewhere: the message is stashed, or the reply is deferred. */
    static final Object NOT_YET = new Object();

    private static final int LOOKS = 1 << 6;

    /**
     * The actor that will reply; null if it is unknown, or if a timeout was added later. Subclasses rather than flags
     * mark the kinds of asks: this object has 24 bytes without padding, and a byte of flags would add 8.
     */
    private @Nullable ScheduledActor target;

    Reply(@Nullable ScheduledActor target) {
        this.target = target;
    }

    /** The reply to an ask with a timeout. A waiting thread must not run the replying actor. */
    static class Limited<R extends @Nullable Object> extends Reply<R> {
        Limited(@Nullable ScheduledActor target) {
            super(target);
        }
    }

    /** A reply carried by the message itself, independent of the result of the behavior. It always has a timeout. */
    static class InMessage<R extends @Nullable Object> extends Limited<R> {
        InMessage(@Nullable ScheduledActor target) {
            super(target);
        }
    }

    /** The reply of a supervisor, which may wait for the asker's end, so it must not run on the asker's stack. */
    static final class OfSupervisor<R extends @Nullable Object> extends Reply<R> {
        private final @Nullable AskTrace trace = JfrAsks.begin();

        OfSupervisor(ScheduledActor target) {
            super(target);
        }

        @Override
        @Nullable
        AskTrace trace() {
            return trace;
        }
    }

    // ---- the context of the asker, and the event of the ask

    /** A reply with a context or a trace, like the next two classes: other replies have no fields for them. */
    private static final class Noted<R extends @Nullable Object> extends Reply<R> {
        private final @Nullable Captured context;
        private final @Nullable AskTrace trace;

        Noted(@Nullable ScheduledActor target, @Nullable Captured context, @Nullable AskTrace trace) {
            super(target);
            this.context = context;
            this.trace = trace;
        }

        @Override
        @Nullable
        Captured context() {
            return context;
        }

        @Override
        @Nullable
        AskTrace trace() {
            return trace;
        }
    }

    private static final class LimitedAndNoted<R extends @Nullable Object> extends Limited<R> {
        private final @Nullable Captured context;
        private final @Nullable AskTrace trace;

        LimitedAndNoted(@Nullable ScheduledActor target, @Nullable Captured context, @Nullable AskTrace trace) {
            super(target);
            this.context = context;
            this.trace = trace;
        }

        @Override
        @Nullable
        Captured context() {
            return context;
        }

        @Override
        @Nullable
        AskTrace trace() {
            return trace;
        }
    }

    private static final class InMessageAndNoted<R extends @Nullable Object> extends InMessage<R> {
        private final @Nullable Captured context;
        private final @Nullable AskTrace trace;

        InMessageAndNoted(@Nullable ScheduledActor target, @Nullable Captured context, @Nullable AskTrace trace) {
            super(target);
            this.context = context;
            this.trace = trace;
        }

        @Override
        @Nullable
        Captured context() {
            return context;
        }

        @Override
        @Nullable
        AskTrace trace() {
            return trace;
        }
    }

    static <R extends @Nullable Object> Reply<R> of(ScheduledActor target, @Nullable Captured context) {
        AskTrace trace = JfrAsks.begin();
        return context == null && trace == null ? new Reply<>(target) : new Noted<>(target, context, trace);
    }

    /** As {@link #of}, for an ask with a timeout. */
    static <R extends @Nullable Object> Reply<R> limited(ScheduledActor target, @Nullable Captured context) {
        AskTrace trace = JfrAsks.begin();
        return context == null && trace == null ? new Limited<>(target) : new LimitedAndNoted<>(target, context, trace);
    }

    static <R extends @Nullable Object> Reply<R> inMessage(
            @Nullable ScheduledActor target, @Nullable Captured context) {
        AskTrace trace = JfrAsks.begin();
        return context == null && trace == null
                ? new InMessage<>(target)
                : new InMessageAndNoted<>(target, context, trace);
    }

    /** The context of the asker; null if the system has no carrier. */
    @Nullable
    Captured context() {
        return null;
    }

    /** The event of the ask; null if it is not recorded. */
    @Nullable
    AskTrace trace() {
        return null;
    }

    /** Completes the reply in the context of the asker, in which its dependent stages run. */
    @Override
    public final boolean complete(R value) {
        Instrumentation.beforeStep();
        Attached attached = ContextPropagation.attach(context());
        try {
            return JfrAsks.over(super.complete(value), trace(), null);
        } finally {
            ContextPropagation.detach(attached);
        }
    }

    /** As {@link #complete}. */
    @Override
    public final boolean completeExceptionally(Throwable cause) {
        Attached attached = ContextPropagation.attach(context());
        try {
            return JfrAsks.over(super.completeExceptionally(cause), trace(), cause);
        } finally {
            ContextPropagation.detach(attached);
        }
    }

    @Override
    public final boolean cancel(boolean mayInterruptIfRunning) {
        boolean wasOpen = !isDone();
        boolean isCancelled = super.cancel(mayInterruptIfRunning);
        AskTrace trace = trace();
        if (trace != null) {
            JfrAsks.over(wasOpen && isCancelled, trace, new CancellationException());
        }
        return isCancelled;
    }

    private static final Reply<Object> NOBODY = new Reply<>(null);

    static {
        NOBODY.cancel(false);
    }

    /** A reply for messages that are not asks, shared by all of them: a cancelled reply never changes. */
    @SuppressWarnings("unchecked") // it never has a value
    static <R extends @Nullable Object> Reply<R> toNobody() {
        return (Reply<R>) (Reply<?>) NOBODY;
    }

    /** Whether this ask has a timeout, which bounds every wait for it. */
    final boolean hasTimeout() {
        return target == null || this instanceof Limited;
    }

    /** Notes that other actors may reply. Called by the asked actor's consumer before it publishes the reply. */
    final void isDeferred() {
        target = null;
    }

    /** The actor that will reply; null if it is unknown. */
    final @Nullable ActorState<?> target() {
        return target instanceof ActorState<?> actor ? actor : null;
    }

    /** Whether only the asked actor can reply, as far as is known. */
    final boolean onlyTargetReplies() {
        return target != null && !isInMessage();
    }

    final boolean isInMessage() {
        return this instanceof InMessage;
    }

    @Override
    public final boolean reply(R value) {
        return complete(value);
    }

    /**
     * Fails the ask. Only the asker can cancel it: a {@code CancellationException} of the replier is an ordinary
     * failure.
     */
    @Override
    public final boolean fail(Throwable cause) {
        return completeExceptionally(BehaviorCancelledException.asFailure(cause));
    }

    @Override
    public final boolean isOpen() {
        return !isDone();
    }

    @Override
    public R get() throws InterruptedException, ExecutionException {
        if (!isDone()) {
            runTargetInPlace(); // without tryComplete(), whose level the compiler may need to inline the turn
            spinThenYield();
            WaitGraph.Edge wait = beginWait(false);
            if (wait != null) {
                try {
                    awaitUnderControl(Control.FOREVER, true);
                    return super.get();
                } finally {
                    wait.end();
                }
            }
            awaitUnderControl(Control.FOREVER, true);
        }
        return super.get();
    }

    @Override
    public R get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        spinThenYield();
        WaitGraph.Edge wait = beginWait(true);
        if (wait != null) {
            try {
                return super.get(awaitUnderControl(unit.toNanos(timeout), true), TimeUnit.NANOSECONDS);
            } finally {
                wait.end();
            }
        }
        return super.get(awaitUnderControl(unit.toNanos(timeout), true), TimeUnit.NANOSECONDS);
    }

    @Override
    public R join() {
        if (!isDone()) {
            runTargetInPlace(); // without tryComplete(), whose level the compiler may need to inline the turn
            spinThenYield();
            WaitGraph.Edge wait = beginWait(false);
            if (wait != null) {
                try {
                    awaitUnderControl(Control.FOREVER, false);
                    return super.join();
                } finally {
                    wait.end();
                }
            }
            awaitUnderControl(Control.FOREVER, false);
        }
        return super.join();
    }

    /** Waits for the reply if the thread is under a control. Returns the remaining time to wait. */
    private long awaitUnderControl(long nanos, boolean interruptible) {
        if (isDone() || Control.ofCurrentThread() == null) {
            return nanos;
        }
        ScheduledActor actor = target;
        return Control.await(
                this, nanos, interruptible, actor == null ? "a reply" : new Control.Awaited("a reply of", actor));
    }

    /**
     * Publishes the wait of this thread, unless the reply is complete. If the wait would complete a cycle of waiting
     * actors, the ask fails instead. Returns null if the thread runs no actor, or the replying actor is unknown.
     */
    private WaitGraph.@Nullable Edge beginWait(boolean limited) {
        if (isDone() || !(target instanceof ActorState<?> actor)) {
            return null;
        }
        WaitGraph.Edge wait = WaitGraph.forReply(actor, this, limited || this instanceof Limited);
        WaitCycle cycle = wait == null ? null : wait.begin();
        if (cycle != null) {
            completeExceptionally(cycle.exception());
        }
        return wait;
    }

    @Override
    public CompletableFuture<R> orTimeout(long timeout, TimeUnit unit) {
        target = null;
        return ControlledFuture.orTimeoutUnderControl(this, timeout, unit) ? this : super.orTimeout(timeout, unit);
    }

    @Override
    public CompletableFuture<R> completeOnTimeout(R value, long timeout, TimeUnit unit) {
        target = null;
        return ControlledFuture.completeOnTimeoutUnderControl(this, value, timeout, unit)
                ? this
                : super.completeOnTimeout(value, timeout, unit);
    }

    @Override
    public final boolean tryComplete() {
        runTargetInPlace();
        spinThenYield();
        return isDone();
    }

    private void runTargetInPlace() {
        ScheduledActor actor = target;
        if (actor != null
                && !(this instanceof Limited || this instanceof OfSupervisor)
                && ActorThread.ofCurrentThread() instanceof Worker worker) {
            worker.runUntil(this, actor);
        }
    }

    private void spinThenYield() {
        if (isDone() || Control.ofCurrentThread() != null) {
            return;
        }
        Worker.beforeWait();
        ScheduledActor actor = target;
        if (actor != null && !(this instanceof Limited) && actor.dispatcher().hasSpinningWorker()) {
            for (int i = 0; i < LOOKS && !isDone(); i++) {
                Thread.onSpinWait();
            }
        }
        if (!isDone() && Thread.currentThread().isVirtual()) {
            Thread.yield();
        }
    }
}
