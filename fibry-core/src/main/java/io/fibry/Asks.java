package io.fibry;

import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.AskStage;
import io.fibry.dispatch.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Combines several asks into one with a common deadline. The methods take the futures returned by {@code ask}, not
 * stages that depend on them.
 *
 * {@snippet class = "AskSnippets" region = "asks"}
 *
 * <p><b>Cleanup.</b> When the result completes, also by a call of {@code complete} or {@code cancel}, the open asks are
 * cancelled. As for every ask that has ended, the actor skips the message unless its handling has begun. All asks share
 * one timer, which ends with the result.
 *
 * <p><b>Deadline.</b> The deadline counts from the call of a method of this class. The asks need no timeouts of their
 * own, except to limit the wait of {@code ask} for room in a full mailbox.
 *
 * <p>Stages that depend on the result and are not asynchronous run on the thread that replies, or after the deadline on
 * a thread of the library, like stages that depend on an ask.
 */
public final class Asks {

    private Asks() {}

    /**
     * Returns a future of all replies, in the order of the asks; an element is null if the reply is null. If an ask
     * fails, the result fails with the same exception at once.
     *
     * @return fails with {@link AskTimeoutException} at the deadline
     */
    public static <R extends @Nullable Object> CompletableFuture<List<R>> all(
            List<? extends CompletableFuture<? extends R>> asks, Duration timeout) {
        List<CompletableFuture<? extends R>> group = List.copyOf(asks);
        CompletableFuture<List<R>> result = AskStage.of(group);
        var open = new AtomicInteger(group.size());
        if (group.isEmpty()) {
            result.complete(List.of());
        }
        for (CompletableFuture<? extends R> ask : group) {
            CompletableFuture<?> unused = ask.whenComplete((value, failure) -> {
                if (failure != null) {
                    result.completeExceptionally(unwrapped(failure));
                } else if (open.decrementAndGet() == 0) {
                    result.complete(replies(group));
                }
            });
        }
        return limited(result, group, timeout, late -> result.completeExceptionally(late));
    }

    private static <R extends @Nullable Object> List<R> replies(List<CompletableFuture<? extends R>> asks) {
        List<R> replies = new ArrayList<>(asks.size());
        asks.forEach(ask -> replies.add(ask.resultNow()));
        return Collections.unmodifiableList(replies);
    }

    /**
     * Returns a future of the first reply. Failures are ignored unless all asks fail: the result then fails with the
     * exception of the last ask that failed.
     *
     * @return fails with {@link AskTimeoutException} at the deadline
     * @throws IllegalArgumentException if the list is empty
     */
    public static <R extends @Nullable Object> CompletableFuture<R> first(
            List<? extends CompletableFuture<? extends R>> asks, Duration timeout) {
        List<CompletableFuture<? extends R>> group = List.copyOf(asks);
        if (group.isEmpty()) {
            throw new IllegalArgumentException("the list of asks must not be empty: one of them has to reply");
        }
        CompletableFuture<R> result = AskStage.of(group);
        var open = new AtomicInteger(group.size());
        for (CompletableFuture<? extends R> ask : group) {
            CompletableFuture<?> unused = ask.whenComplete((value, failure) -> {
                if (failure == null) {
                    result.complete(value);
                } else if (open.decrementAndGet() == 0) {
                    result.completeExceptionally(unwrapped(failure));
                }
            });
        }
        return limited(result, group, timeout, late -> result.completeExceptionally(late));
    }

    /**
     * Returns a future that completes with the futures of the asks, in order, when all of them are done, like
     * {@link java.util.concurrent.ExecutorService#invokeAll}. Asks that are open at the deadline fail with
     * {@link AskTimeoutException}.
     *
     * @return fails only if the caller completes it exceptionally or cancels it
     */
    @SuppressWarnings("unchecked") // the futures are only read
    public static <R extends @Nullable Object> CompletableFuture<List<Future<R>>> each(
            List<? extends CompletableFuture<? extends R>> asks, Duration timeout) {
        List<CompletableFuture<? extends R>> group = List.copyOf(asks);
        List<Future<R>> done = (List<Future<R>>) (List<?>) group;
        CompletableFuture<List<Future<R>>> result = AskStage.of(group);
        var open = new AtomicInteger(group.size());
        if (group.isEmpty()) {
            result.complete(done);
        }
        for (CompletableFuture<? extends R> ask : group) {
            CompletableFuture<?> unused = ask.whenComplete((value, failure) -> {
                if (open.decrementAndGet() == 0) {
                    result.complete(done);
                }
            });
        }
        return limited(result, group, timeout, late -> group.forEach(ask -> ask.completeExceptionally(late)));
    }

    /** Starts the timer, unless the result is complete. The completion of the result cancels the timer and the asks. */
    private static <T extends @Nullable Object> CompletableFuture<T> limited(
            CompletableFuture<T> result,
            List<? extends CompletableFuture<?>> asks,
            Duration timeout,
            Consumer<AskTimeoutException> atDeadline) {
        long nanos = Durations.nanos(Durations.notNegative("timeout", timeout));
        var alarm = new Alarm();
        if (!result.isDone()) {
            alarm.start(nanos, () -> atDeadline.accept(late(asks, timeout)));
        }
        CompletableFuture<?> unused = result.whenComplete((value, failure) -> {
            alarm.cancel();
            AskStage.forgetSources(result);
            asks.forEach(ask -> ask.cancel(false));
        });
        return result;
    }

    private static AskTimeoutException late(List<? extends CompletableFuture<?>> asks, Duration timeout) {
        long open = asks.stream().filter(ask -> !ask.isDone()).count();
        String text = open + " of " + asks.size() + " asks have no reply within their common timeout of " + timeout;
        return new AskTimeoutException(text, -1, null);
    }

    private static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
        return cause != null ? cause : failure;
    }
}
