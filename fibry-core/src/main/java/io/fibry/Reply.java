package io.fibry;

import io.fibry.ContextCarrier.Attached;
import io.fibry.ContextCarrier.Captured;
import io.fibry.dispatch.Control;
import io.fibry.dispatch.ControlledFuture;
import io.fibry.dispatch.Runner;
import io.fibry.dispatch.Schedulable;
import io.fibry.dispatch.Worker;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The reply to one {@code ask}, and the strategy of a thread that waits for it before it parks.
 *
 * <p>An actor that waits without a timeout may run the replying actor itself, if that is the next one of its worker. It runs on
 * the same stack, so no thread is switched: see {@link Worker#runUntil}. With a timeout this is not possible, since the timeout
 * could not be kept.
 *
 * <p>Any other waiting thread gives the replying actor a moment. If a worker is polling for messages, the thread first spins for
 * a few reads of the reply, as {@code java.util.concurrent.SynchronousQueue} does. Then a virtual thread yields once, and the
 * reply has usually come after that. To park and be woken costs more.
 */
class Reply<R extends @Nullable Object> extends CompletableFuture<R> implements ReplyTo<R> {

    /** Marks an envelope whose message is a {@link Runnable} of {@link Actor#execute}. It is never completed. */
    static final Reply<Object> OF_TASK = new Reply<>(null);

    /** Marks an envelope whose message is a {@link Signal}. It is never completed. */
    static final Reply<Object> OF_SIGNAL = new Reply<>(null);

    /** What a behavior returns if the reply is given elsewhere: the message was stashed, or the reply is deferred. */
    static final Object NOT_YET = new Object();

    private static final int LOOKS = 1 << 6;

    /**
     * The actor that will reply; null if nothing is known of it, or a timeout was added later. Only one field, to keep the object
     * small: a class of its own says that an ask has a timeout from the start.
     */
    private @Nullable Schedulable target;

    Reply(@Nullable Schedulable target) {
        this.target = target;
    }

    /** The reply to an ask with a timeout. A waiting thread must not run the replying actor. */
    static class Limited<R extends @Nullable Object> extends Reply<R> {
        Limited(@Nullable Schedulable target) {
            super(target);
        }
    }

    /** A reply that the message itself carries, independent of what its behavior returns. It always has a timeout. */
    static class InMessage<R extends @Nullable Object> extends Limited<R> {
        InMessage(@Nullable Schedulable target) {
            super(target);
        }
    }

    /** The reply of a supervisor. The supervisor may wait for the asker's end, so it must not run on the asker's stack. */
    static final class OfSupervisor<R extends @Nullable Object> extends Reply<R> {
        OfSupervisor(Schedulable target) {
            super(target);
        }
    }

    // ---- the context of the asker

    /** Subclasses with a context, so that replies without one have no field for it. */
    private static final class InContext<R extends @Nullable Object> extends Reply<R> {
        private final Captured context;

        InContext(@Nullable Schedulable target, Captured context) {
            super(target);
            this.context = context;
        }

        @Override
        Captured context() {
            return context;
        }
    }

    private static final class LimitedInContext<R extends @Nullable Object> extends Limited<R> {
        private final Captured context;

        LimitedInContext(@Nullable Schedulable target, Captured context) {
            super(target);
            this.context = context;
        }

        @Override
        Captured context() {
            return context;
        }
    }

    private static final class InMessageAndContext<R extends @Nullable Object> extends InMessage<R> {
        private final Captured context;

        InMessageAndContext(@Nullable Schedulable target, Captured context) {
            super(target);
            this.context = context;
        }

        @Override
        Captured context() {
            return context;
        }
    }

    static <R extends @Nullable Object> Reply<R> of(Schedulable target, @Nullable Captured context) {
        return context == null ? new Reply<>(target) : new InContext<>(target, context);
    }

    /** As {@link #of}, for an ask with a timeout. */
    static <R extends @Nullable Object> Reply<R> limited(Schedulable target, @Nullable Captured context) {
        return context == null ? new Limited<>(target) : new LimitedInContext<>(target, context);
    }

    static <R extends @Nullable Object> Reply<R> inMessage(@Nullable Schedulable target, @Nullable Captured context) {
        return context == null ? new InMessage<>(target) : new InMessageAndContext<>(target, context);
    }

    /** The context of the asker; null if the system carries none. */
    @Nullable
    Captured context() {
        return null;
    }

    /** Stages that depend on the reply run here, whoever calls this. So they run in the context of the asker. */
    @Override
    public final boolean complete(R value) {
        Instruments.beforeStep();
        Attached attached = Contexts.attach(context());
        try {
            return super.complete(value);
        } finally {
            Contexts.detach(attached);
        }
    }

    /** As {@link #complete}. */
    @Override
    public final boolean completeExceptionally(Throwable cause) {
        Attached attached = Contexts.attach(context());
        try {
            return super.completeExceptionally(cause);
        } finally {
            Contexts.detach(attached);
        }
    }

    private static final Reply<Object> NOBODY = new Reply<>(null);

    static {
        NOBODY.cancel(false);
    }

    /** A reply that no thread waits for: the same for all, since a cancelled one never changes. */
    @SuppressWarnings("unchecked") // nobody gets a value
    static <R extends @Nullable Object> Reply<R> toNobody() {
        return (Reply<R>) (Reply<?>) NOBODY;
    }

    /** Whether this ask has a timeout, so that no thread waits for it for ever. */
    final boolean hasTimeout() {
        return target == null || this instanceof Limited;
    }

    /** From now on others than the asked actor may reply. By that actor's consumer, before it hands the reply on. */
    final void isDeferred() {
        target = null;
    }

    /** Whether nobody but the asked actor can reply, as far as the library knows. */
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

    /** Fails the ask. Only the asker can cancel it: a cancellation in the replier is a failure like any other. */
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
            runTheReplier();
            giveTheReplierAMoment();
            Waits.Wait wait = beginWait(false);
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
        giveTheReplierAMoment();
        Waits.Wait wait = beginWait(true);
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
            runTheReplier();
            giveTheReplierAMoment();
            Waits.Wait wait = beginWait(false);
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

    /** In a test, waits for the reply. Returns how long the thread still has to wait. */
    private long awaitUnderControl(long nanos, boolean interruptible) {
        if (isDone() || Control.ofCurrentThread() == null) {
            return nanos;
        }
        Schedulable actor = target;
        return Control.await(
                this, nanos, interruptible, actor == null ? "a reply" : new Control.Awaited("a reply of", actor));
    }

    /** Stages that depend on a reply are under the same {@link Control}. */
    @Override
    public final <U> CompletableFuture<U> newIncompleteFuture() {
        return ControlledFuture.incomplete();
    }

    /**
     * Publishes that this thread waits, unless the reply has come. If that would complete a circle of waiting actors, the ask
     * fails instead. Null if the thread blocks no actor, or nothing is known of the one that replies.
     */
    private Waits.@Nullable Wait beginWait(boolean limited) {
        if (isDone() || !(target instanceof ActorState<?> actor)) {
            return null;
        }
        Waits.Wait wait = Waits.forReply(actor, this, limited || this instanceof Limited);
        Circle circle = wait == null ? null : wait.begin();
        if (circle != null) {
            completeExceptionally(circle.exception());
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

    private void runTheReplier() {
        Schedulable actor = target;
        if (actor != null
                && !(this instanceof Limited || this instanceof OfSupervisor)
                && Runner.ofCurrentThread() instanceof Worker worker) {
            worker.runUntil(this, actor);
        }
    }

    private void giveTheReplierAMoment() {
        if (isDone() || Control.ofCurrentThread() != null) {
            return;
        }
        Worker.beforeWait();
        Schedulable actor = target;
        if (actor != null && !(this instanceof Limited) && actor.dispatcher().takesAtOnce()) {
            for (int i = 0; i < LOOKS && !isDone(); i++) {
                Thread.onSpinWait();
            }
        }
        if (!isDone() && Thread.currentThread().isVirtual()) {
            Thread.yield();
        }
    }
}
