package io.fibry;

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
     * The actor that will reply; null if a waiting thread must not run it, because the ask has a timeout. Only one field, to keep
     * the object small.
     */
    private @Nullable Schedulable target;

    Reply(@Nullable Schedulable target) {
        this.target = target;
    }

    /** A reply that the message itself carries, independent of what its behavior returns. */
    static final class InMessage<R extends @Nullable Object> extends Reply<R> {
        InMessage() {
            super(null);
        }
    }

    /** A reply that no thread waits for. */
    static <R extends @Nullable Object> Reply<R> toNobody() {
        var nobody = new Reply<R>(null);
        nobody.cancel(false);
        return nobody;
    }

    /** Whether this ask has a timeout, so that no thread waits for it for ever. */
    final boolean hasTimeout() {
        return target == null;
    }

    final boolean isInMessage() {
        return this instanceof InMessage;
    }

    @Override
    public final boolean reply(R value) {
        return complete(value);
    }

    @Override
    public final boolean fail(Throwable cause) {
        return completeExceptionally(cause);
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
        }
        return super.get();
    }

    @Override
    public R get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        giveTheReplierAMoment();
        return super.get(timeout, unit);
    }

    @Override
    public R join() {
        if (!isDone()) {
            runTheReplier();
            giveTheReplierAMoment();
        }
        return super.join();
    }

    @Override
    public CompletableFuture<R> orTimeout(long timeout, TimeUnit unit) {
        target = null;
        return super.orTimeout(timeout, unit);
    }

    @Override
    public CompletableFuture<R> completeOnTimeout(R value, long timeout, TimeUnit unit) {
        target = null;
        return super.completeOnTimeout(value, timeout, unit);
    }

    private void runTheReplier() {
        Schedulable actor = target;
        if (actor != null && Runner.ofCurrentThread() instanceof Worker worker) {
            worker.runUntil(this, actor);
        }
    }

    private void giveTheReplierAMoment() {
        if (isDone()) {
            return;
        }
        Worker.beforeWait();
        Schedulable actor = target;
        if (actor != null && actor.dispatcher().takesAtOnce()) {
            for (int i = 0; i < LOOKS && !isDone(); i++) {
                Thread.onSpinWait();
            }
        }
        if (!isDone() && Thread.currentThread().isVirtual()) {
            Thread.yield();
        }
    }
}
