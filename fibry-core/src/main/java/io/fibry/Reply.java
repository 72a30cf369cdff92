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
 * The answer to one {@code ask}, and what a thread that waits for it does before it parks.
 *
 * <p>An actor that waits without a time limit has nothing else to do, and if the actor it asked is its worker's next, it runs
 * that on its own stack, and nothing is switched: see {@link Worker#runUntil}. With a limit it does not, since the limit could
 * not be kept.
 *
 * <p>Everybody else gives the replier a moment: looks at the reply a few times if a worker is at hand that takes messages at
 * once, as {@code java.util.concurrent.SynchronousQueue} does; then a virtual thread yields once, and the replier usually runs
 * in that time. To park and to be woken costs more.
 */
class Reply<R extends @Nullable Object> extends CompletableFuture<R> implements ReplyTo<R> {

    /** Marks an envelope whose message is a {@link Runnable} of {@link Actor#execute}; nobody completes it. */
    static final Reply<Object> OF_TASK = new Reply<>(null);

    /** Marks an envelope whose message is a {@link Signal}; nobody completes it. */
    static final Reply<Object> OF_SIGNAL = new Reply<>(null);

    /** What a behavior returns that has put its message aside. */
    static final Object NOT_YET = new Object();

    private static final int LOOKS = 1 << 6;

    /** The actor that will answer; null if whoever waits must not run it. One field, since there is room for one. */
    private @Nullable Schedulable target;

    Reply(@Nullable Schedulable target) {
        this.target = target;
    }

    /** A reply that the message carries, whatever its behavior returns. */
    static final class InMessage<R extends @Nullable Object> extends Reply<R> {
        InMessage() {
            super(null);
        }
    }

    /** A reply for which nobody waits. */
    static <R extends @Nullable Object> Reply<R> toNobody() {
        var nobody = new Reply<R>(null);
        nobody.cancel(false);
        return nobody;
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
