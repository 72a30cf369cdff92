package io.fibry.dispatch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The reply to an ask, or a stage that depends on replies. Its dependent stages are of class {@link AskStage} if a
 * thread creates them inside an actor: such a stage knows what it depends on, and a wait for it is part of the wait-for
 * graph. This class has no fields.
 *
 * <p>{@link CompletableFuture} asks {@link #newIncompleteFuture} for the object of each dependent stage, but does not
 * say which method creates it. The methods below therefore add what this object alone cannot know: a second source, or
 * that the first source is not the only one that completes the stage.
 */
public abstract class AskFuture<T extends @Nullable Object> extends CompletableFuture<T> {

    /** Stages that depend on this one are under the same {@link Control}. */
    @Override
    public final <U> CompletableFuture<U> newIncompleteFuture() {
        return isOutside() ? ControlledFuture.incomplete() : new AskStage<>(isDone() ? null : this);
    }

    /** Whether the calling thread creates ordinary stages. */
    static boolean isOutside() {
        ActorThread own = ActorThread.ofCurrentThread();
        return Control.ofCurrentThread() != null || !((own != null && own.isRunning()) || PoolDispatcher.isUsed());
    }

    /**
     * Lets the asked actor handle its next messages, if it can run on the calling thread. Returns whether this future
     * is complete. For a thread that would wait otherwise.
     */
    public boolean tryComplete() {
        return isDone();
    }

    // ---- stages that depend on the stage that a function returns

    @Override
    public final <U> CompletableFuture<U> thenCompose(Function<? super T, ? extends CompletionStage<U>> fn) {
        if (fn == null || isOutside()) {
            return super.thenCompose(fn);
        }
        var composition = new AskSources.Composition<T, U>(this, fn);
        return composed(super.thenCompose(composition), composition);
    }

    @Override
    public final <U> CompletableFuture<U> thenComposeAsync(Function<? super T, ? extends CompletionStage<U>> fn) {
        return thenComposeAsync(fn, defaultExecutor());
    }

    @Override
    public final <U> CompletableFuture<U> thenComposeAsync(
            Function<? super T, ? extends CompletionStage<U>> fn, Executor executor) {
        if (fn == null || isOutside()) {
            return super.thenComposeAsync(fn, executor);
        }
        var composition = new AskSources.Composition<T, U>(this, fn);
        return composed(super.thenComposeAsync(composition, executor), composition);
    }

    @Override
    public final CompletableFuture<T> exceptionallyCompose(Function<Throwable, ? extends CompletionStage<T>> fn) {
        if (fn == null || isOutside()) {
            return super.exceptionallyCompose(fn);
        }
        var composition = new AskSources.Composition<Throwable, T>(this, fn);
        return composed(super.exceptionallyCompose(composition), composition);
    }

    @Override
    public final CompletableFuture<T> exceptionallyComposeAsync(Function<Throwable, ? extends CompletionStage<T>> fn) {
        return exceptionallyComposeAsync(fn, defaultExecutor());
    }

    @Override
    public final CompletableFuture<T> exceptionallyComposeAsync(
            Function<Throwable, ? extends CompletionStage<T>> fn, Executor executor) {
        if (fn == null || isOutside()) {
            return super.exceptionallyComposeAsync(fn, executor);
        }
        var composition = new AskSources.Composition<Throwable, T>(this, fn);
        return composed(super.exceptionallyComposeAsync(composition, executor), composition);
    }

    private static <U extends @Nullable Object> CompletableFuture<U> composed(
            CompletableFuture<U> stage, AskSources.Composition<?, ?> composition) {
        if (stage instanceof AskStage<U> dependent) {
            dependent.dependsOn(composition);
        }
        return stage;
    }

    // ---- stages that depend on two stages

    @Override
    public final <U, V> CompletableFuture<V> thenCombine(
            CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> fn) {
        return both(super.thenCombine(other, fn), other);
    }

    @Override
    public final <U, V> CompletableFuture<V> thenCombineAsync(
            CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> fn) {
        return both(super.thenCombineAsync(other, fn), other);
    }

    @Override
    public final <U, V> CompletableFuture<V> thenCombineAsync(
            CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> fn, Executor executor) {
        return both(super.thenCombineAsync(other, fn, executor), other);
    }

    @Override
    public final <U> CompletableFuture<Void> thenAcceptBoth(
            CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> action) {
        return both(super.thenAcceptBoth(other, action), other);
    }

    @Override
    public final <U> CompletableFuture<Void> thenAcceptBothAsync(
            CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> action) {
        return both(super.thenAcceptBothAsync(other, action), other);
    }

    @Override
    public final <U> CompletableFuture<Void> thenAcceptBothAsync(
            CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> action, Executor executor) {
        return both(super.thenAcceptBothAsync(other, action, executor), other);
    }

    @Override
    public final CompletableFuture<Void> runAfterBoth(CompletionStage<?> other, Runnable action) {
        return both(super.runAfterBoth(other, action), other);
    }

    @Override
    public final CompletableFuture<Void> runAfterBothAsync(CompletionStage<?> other, Runnable action) {
        return both(super.runAfterBothAsync(other, action), other);
    }

    @Override
    public final CompletableFuture<Void> runAfterBothAsync(
            CompletionStage<?> other, Runnable action, Executor executor) {
        return both(super.runAfterBothAsync(other, action, executor), other);
    }

    private static <V extends @Nullable Object> CompletableFuture<V> both(
            CompletableFuture<V> stage, CompletionStage<?> other) {
        if (stage instanceof AskStage<V> dependent && other instanceof AskFuture<?> second) {
            dependent.alsoDependsOn(second);
        }
        return stage;
    }

    // ---- stages that the first of two stages completes

    @Override
    public final <U> CompletableFuture<U> applyToEither(CompletionStage<? extends T> other, Function<? super T, U> fn) {
        return either(super.applyToEither(other, fn));
    }

    @Override
    public final <U> CompletableFuture<U> applyToEitherAsync(
            CompletionStage<? extends T> other, Function<? super T, U> fn) {
        return either(super.applyToEitherAsync(other, fn));
    }

    @Override
    public final <U> CompletableFuture<U> applyToEitherAsync(
            CompletionStage<? extends T> other, Function<? super T, U> fn, Executor executor) {
        return either(super.applyToEitherAsync(other, fn, executor));
    }

    @Override
    public final CompletableFuture<Void> acceptEither(CompletionStage<? extends T> other, Consumer<? super T> action) {
        return either(super.acceptEither(other, action));
    }

    @Override
    public final CompletableFuture<Void> acceptEitherAsync(
            CompletionStage<? extends T> other, Consumer<? super T> action) {
        return either(super.acceptEitherAsync(other, action));
    }

    @Override
    public final CompletableFuture<Void> acceptEitherAsync(
            CompletionStage<? extends T> other, Consumer<? super T> action, Executor executor) {
        return either(super.acceptEitherAsync(other, action, executor));
    }

    @Override
    public final CompletableFuture<Void> runAfterEither(CompletionStage<?> other, Runnable action) {
        return either(super.runAfterEither(other, action));
    }

    @Override
    public final CompletableFuture<Void> runAfterEitherAsync(CompletionStage<?> other, Runnable action) {
        return either(super.runAfterEitherAsync(other, action));
    }

    @Override
    public final CompletableFuture<Void> runAfterEitherAsync(
            CompletionStage<?> other, Runnable action, Executor executor) {
        return either(super.runAfterEitherAsync(other, action, executor));
    }

    private static <V extends @Nullable Object> CompletableFuture<V> either(CompletableFuture<V> stage) {
        if (stage instanceof AskStage<V> dependent) {
            dependent.mayCompleteOtherwise();
        }
        return stage;
    }
}
