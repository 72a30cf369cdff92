package io.fibry.dispatch;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A stage that depends on replies, created inside an actor. A thread inside an actor that waits for it publishes this
 * wait, as it does for a reply.
 *
 * <p><b>Memory.</b> The stage has one field in addition to the fields of {@link CompletableFuture}; it fits into the
 * padding of that class. The stage also has one weak reference to the future that it depends on. A strong reference
 * would keep the value of that future, and of all futures before it, as long as the stage. A future that is still open
 * does not need one: its actor, or the future before it, refers to it.
 */
public final class AskStage<T extends @Nullable Object> extends AskFuture<T> {

    /**
     * What the stage depends on; see {@link AskSources}. Null if that is unknown, or complete. Written before the stage
     * is returned to its creator, and by {@link #mayCompleteOtherwise}.
     */
    private @Nullable Object source;

    AskStage(@Nullable AskFuture<?> source) {
        this.source = source == null ? null : new WeakReference<>(source);
    }

    /**
     * Returns a future that depends on these futures, and that the caller completes, possibly earlier. An ordinary one
     * outside of an actor.
     */
    public static <T extends @Nullable Object> CompletableFuture<T> of(List<? extends CompletableFuture<?>> sources) {
        return isOutside() ? ControlledFuture.incomplete() : new AskStage<>(new AskSources.Group(sources));
    }

    private AskStage(AskSources.Group group) {
        source = group;
    }

    /** Returns a stage that depends on these futures, and is never complete. It represents a wait for one of them. */
    public static AskStage<?> ofAny(List<? extends CompletableFuture<?>> futures) {
        return new AskStage<>(new AskSources.Group(futures));
    }

    /** The actor that the calling thread runs; null if there is none. */
    static @Nullable ScheduledActor actorOfCurrentThread() {
        ActorThread own = ActorThread.ofCurrentThread();
        ScheduledActor actor = own == null ? null : own.currentActor();
        return actor == null && PoolDispatcher.isUsed() ? PoolDispatcher.actorOfCurrentThread() : actor;
    }

    @Nullable
    Object source() {
        return source;
    }

    void dependsOn(AskSources.Composition<?, ?> composition) {
        source = composition;
    }

    void alsoDependsOn(AskFuture<?> second) {
        if (!second.isDone()) {
            Object first = source;
            var reference = new WeakReference<AskFuture<?>>(second);
            source = first == null ? reference : new AskSources.Both(first, reference);
        }
    }

    /** Notes that another event may complete this stage, too: a wait for it may end without a reply. */
    void mayCompleteOtherwise() {
        Object first = source;
        if (first != null && !(first instanceof AskSources.Uncertain)) {
            source = new AskSources.Uncertain(first);
        }
    }

    /** Drops the references to what the stage depends on, when it is complete. */
    public static void forgetSources(CompletableFuture<?> stage) {
        if (stage instanceof AskStage<?> s) {
            s.source = null;
        }
    }

    /**
     * Passes each open ask that this stage depends on to the visitor.
     *
     * @param wait is notified if the stage depends on another ask later; null if no thread waits
     */
    public void forEachAsk(@Nullable AskWait wait, AskVisitor visitor) {
        if (!isDone()) {
            AskSources.visit(this, wait, visitor);
        }
    }

    /** Receives the asks that a stage depends on. */
    public interface AskVisitor {

        /**
         * Receives an ask.
         *
         * @param ask is open
         * @param isNecessary whether the stage cannot complete before this ask, unless it is completed by hand
         */
        void ask(AskFuture<?> ask, boolean isNecessary);
    }

    private @Nullable AskWait beginWait(boolean limited) {
        if (isDone()) {
            return null;
        }
        ScheduledActor actor = actorOfCurrentThread();
        if (actor == null || source == null) {
            return null;
        }
        Worker.beforeWait();
        return actor.beginWait(this, limited);
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        AskWait wait = beginWait(false);
        if (wait == null) {
            return super.get();
        }
        try {
            return super.get();
        } finally {
            wait.end();
        }
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        AskWait wait = beginWait(true);
        if (wait == null) {
            return super.get(timeout, unit);
        }
        try {
            return super.get(timeout, unit);
        } finally {
            wait.end();
        }
    }

    @Override
    public T join() {
        AskWait wait = beginWait(false);
        if (wait == null) {
            return super.join();
        }
        try {
            return super.join();
        } finally {
            wait.end();
        }
    }

    @Override
    public CompletableFuture<T> orTimeout(long timeout, TimeUnit unit) {
        mayCompleteOtherwise();
        return super.orTimeout(timeout, unit);
    }

    @Override
    public CompletableFuture<T> completeOnTimeout(T value, long timeout, TimeUnit unit) {
        mayCompleteOtherwise();
        return super.completeOnTimeout(value, timeout, unit);
    }

    @Override
    public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier) {
        mayCompleteOtherwise();
        return super.completeAsync(supplier);
    }

    @Override
    public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
        mayCompleteOtherwise();
        return super.completeAsync(supplier, executor);
    }
}
