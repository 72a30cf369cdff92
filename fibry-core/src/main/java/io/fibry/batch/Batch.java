package io.fibry.batch;

import io.fibry.ActorContext;
import io.fibry.ActorTimer;
import io.fibry.ReplyTo;
import io.fibry.ThrowingFunction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The open batch of an actor. Confined to the actor's turns and its stop hook, which runs last.
 *
 * <p><b>No message is lost.</b> A message is collected in the turn that takes it from the mailbox. The open batch holds
 * it until the batch is handled: in the turn that fills the batch, in the turn of the timer that was set with the first
 * message, or in the stop hook. The hook runs in every case, and before open replies fail. A restart keeps this object,
 * and sets the timer again.
 */
final class Batch<M, R extends @Nullable Object> {

    /** The message of the timer. */
    static final Object DUE = new Object();

    /**
     * A message and the address for its reply.
     *
     * @param replyTo null if the message was not asked
     */
    private record Item<M, R extends @Nullable Object>(
            M message, @Nullable ReplyTo<R> replyTo) {
        boolean isGivenUp() {
            return replyTo != null && !replyTo.isOpen();
        }
    }

    private final BatchOptions options;
    private final ThrowingFunction<List<M>, List<R>> behavior;
    private List<Item<M, R>> items = new ArrayList<>();
    private @Nullable ActorTimer timer;

    Batch(BatchOptions options, ThrowingFunction<List<M>, List<R>> behavior) {
        this.options = options;
        this.behavior = behavior;
    }

    /** Called by the factory of the actor. A restart has cancelled the timer, and has failed the asks. */
    void begin(ActorContext<Object> context) {
        if (!items.isEmpty()) {
            setTimer(context);
        }
    }

    /** Collects a message. The address is null if it needs no reply. */
    void add(ActorContext<Object> context, M message, @Nullable ReplyTo<R> replyTo) {
        items.add(new Item<>(message, replyTo != null && replyTo.isOpen() ? replyTo : null));
        if (items.size() >= options.maxSize()) {
            handOn();
        } else if (items.size() == 1) {
            setTimer(context);
        }
    }

    private void setTimer(ActorContext<Object> context) {
        timer = context.after(options.maxDelay(), DUE).cancelOnStop(); // the stop hook hands the batch on
    }

    /** Passes the open batch to the behavior, without asks that have ended. */
    void handOn() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
        List<Item<M, R>> batch = items;
        items = new ArrayList<>();
        batch.removeIf(Item::isGivenUp);
        if (!batch.isEmpty()) {
            handle(batch);
        }
    }

    private void handle(List<Item<M, R>> batch) {
        List<M> messages = batch.stream().map(Item::message).toList();
        List<R> replies;
        try {
            replies = behavior.apply(messages);
            if (replies.size() != batch.size()) {
                throw new IllegalStateException(
                        "a batch of " + batch.size() + " messages needs as many replies, not " + replies.size());
            }
        } catch (Throwable t) {
            fail(batch, t);
            return;
        }
        for (int i = 0; i < batch.size(); i++) {
            ReplyTo<R> replyTo = batch.get(i).replyTo;
            if (replyTo != null) {
                replyTo.reply(replies.get(i));
            }
        }
    }

    /** Fails the asks. If there are other messages, or an ask has ended, the failure is also thrown, which logs it. */
    private static <M, R extends @Nullable Object> void fail(List<Item<M, R>> batch, Throwable t) {
        long withoutAsker = batch.stream()
                .filter(item -> item.replyTo == null || !item.replyTo.fail(t))
                .count();
        if (t instanceof Error error) {
            throw error;
        }
        if (withoutAsker > 0) {
            throw new BatchFailedException(
                    "a batch of " + batch.size() + " messages failed, " + withoutAsker + " of them without an asker",
                    t);
        }
    }
}
