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
    private final List<Item<M, R>> items = new ArrayList<>();
    private @Nullable ActorTimer timer;

    Batch(BatchOptions options, ThrowingFunction<List<M>, List<R>> behavior) {
        this.options = options;
        this.behavior = behavior;
    }

    /** Called by the factory of the actor. A restart has cancelled the timer, and has failed the asks. */
    void begin(ActorContext<Object> context) {
        timer = null;
        if (!items.isEmpty()) {
            setTimer(context);
        }
    }

    /** Collects a message. The address is null if it needs no reply. */
    void add(ActorContext<Object> context, M message, @Nullable ReplyTo<R> replyTo) {
        boolean fills = items.size() + 1 >= options.maxSize();
        if (!fills && timer == null) {
            setTimer(context); // first: if it fails, only this message fails, and none waits without a timer
        }
        items.add(new Item<>(message, replyTo != null && replyTo.isOpen() ? replyTo : null));
        if (fills) {
            handOn();
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
        try {
            items.removeIf(Item::isGivenUp);
            if (!items.isEmpty()) {
                handle();
            }
        } catch (Throwable t) {
            fail(t);
        } finally {
            items.clear(); // needs no memory, so that no failed batch remains open without a timer
        }
    }

    private void handle() throws Exception {
        List<M> messages = items.stream().map(Item::message).toList();
        // a copy, since a list that computes its elements may fail after some asks have their replies
        List<R> replies = new ArrayList<>(behavior.apply(messages));
        if (replies.size() != items.size()) {
            throw new IllegalStateException(
                    "a batch of " + items.size() + " messages needs as many replies, not " + replies.size());
        }
        for (int i = 0; i < replies.size(); i++) {
            ReplyTo<R> replyTo = items.get(i).replyTo;
            if (replyTo != null) {
                replyTo.reply(replies.get(i));
            }
        }
    }

    /** Fails the asks. If there are other messages, or an ask has ended, the failure is also thrown, which logs it. */
    private void fail(Throwable t) {
        int withoutAsker = 0;
        for (int i = 0; i < items.size(); i++) { // without an iterator, which may need memory
            ReplyTo<R> replyTo = items.get(i).replyTo;
            withoutAsker += replyTo == null || !replyTo.fail(t) ? 1 : 0;
        }
        if (t instanceof Error error) {
            throw error;
        }
        if (withoutAsker > 0) {
            throw new BatchFailedException(
                    "a batch of " + items.size() + " messages failed, " + withoutAsker + " of them without an asker",
                    t);
        }
    }
}
