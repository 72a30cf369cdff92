package io.fibry.batch;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorContext;
import io.fibry.ReplyActor;
import io.fibry.ReplyContext;
import io.fibry.ReplyTo;
import io.fibry.ThrowingConsumer;
import io.fibry.ThrowingFunction;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Starts actors that collect their messages and handle them in batches.
 *
 * {@snippet class = "ShapeSnippets" region = "batcher"}
 *
 * <p><b>Batches.</b> A batch is handled when it is full, when its first message has waited for the maximum delay, and
 * when the actor ends. While a batch is handled, messages wait in the bounded mailbox.
 *
 * <p><b>Order.</b> The messages of a batch are in the order of the mailbox. The handlings of batches never overlap, and
 * each <i>happens-before</i> the next one.
 *
 * <p><b>Asks.</b> Each ask receives its own reply. An ask that has ended before its batch is handled, for instance by a
 * timeout, is removed from the batch. An exception of the behavior fails all asks of the batch. If the batch contains
 * other messages, the exception is also logged.
 *
 * <p><b>Restarts.</b> With {@link io.fibry.Supervision#restart}, an exception that is logged also restarts the actor,
 * for instance after a backoff. The failed batch is not handled again. A restart for another reason, such as a failure
 * of code for {@link Actor#execute}, keeps the messages of the open batch and fails its asks.
 *
 * <p><b>End.</b> A message counts as handled once it is in the open batch. The last batch is therefore handled in every
 * {@link io.fibry.StopMode}. A mode harder than {@code DRAIN} discards the messages in the mailbox and fails the open
 * asks. Failed asks are removed from the open batch. An ask that fails while its batch is being handled may still be
 * handled.
 */
public final class Batcher {

    private Batcher() {}

    /**
     * Starts an actor that does not reply. An {@link Actor#ask} carries its {@code ReplyTo} in the message.
     *
     * @param behavior gets an unmodifiable list with at least one message
     * @throws IllegalArgumentException if the builder has {@link ActorBuilder#bounded} or
     *     {@link ActorBuilder#priority}: the options have the limit of the mailbox
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    @SuppressWarnings("unchecked") // the actor takes any message, and the handle restricts them
    public static <M> Actor<M> start(
            ActorBuilder<Object> builder, ThrowingConsumer<List<M>> behavior, BatchOptions options) {
        Objects.requireNonNull(behavior, "behavior");
        ThrowingFunction<List<M>, List<@Nullable Object>> withoutReplies = messages -> {
            behavior.accept(messages);
            return Collections.nCopies(messages.size(), null);
        };
        var batch = new Batch<M, @Nullable Object>(options, withoutReplies);
        Actor<Object> actor = prepared(builder.copy(), options, batch).newActorFrom((ActorContext<Object> context) -> {
            batch.begin(context);
            return message -> {
                if (message == Batch.DUE) {
                    batch.handOn();
                } else {
                    batch.add(context, (M) message, null);
                }
            };
        });
        return (Actor<M>) (Actor<?>) actor;
    }

    /**
     * Starts an actor that replies.
     *
     * @param behavior gets an unmodifiable list with at least one message, and returns as many replies, in the same
     *     order
     * @throws IllegalArgumentException if the builder has {@link ActorBuilder#bounded} or
     *     {@link ActorBuilder#priority}: the options have the limit of the mailbox
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    @SuppressWarnings(
            "unchecked") // as above; the result of the actor's behavior is unused, because all replies are deferred
    public static <M, R extends @Nullable Object> ReplyActor<M, R> startWithReturn(
            ActorBuilder<Object> builder, ThrowingFunction<List<M>, List<R>> behavior, BatchOptions options) {
        Objects.requireNonNull(behavior, "behavior");
        var batch = new Batch<M, R>(options, behavior);
        ReplyActor<Object, Object> actor = prepared(builder.copy(), options, batch)
                .newActorWithReturnFrom((ReplyContext<Object, Object> context) -> {
                    batch.begin(context);
                    return message -> {
                        if (message == Batch.DUE) {
                            batch.handOn();
                        } else {
                            batch.add(context, (M) message, (ReplyTo<R>) (ReplyTo<?>) context.deferReply());
                        }
                        return Batch.DUE;
                    };
                });
        return (ReplyActor<M, R>) (ReplyActor<?, ?>) actor;
    }

    private static ActorBuilder<Object> prepared(
            ActorBuilder<Object> builder, BatchOptions options, Batch<?, ?> batch) {
        return options.applyTo(builder.checkNoMailbox("use BatchOptions.bounded(..)"))
                .onStop(exit -> batch.handOn());
    }
}
