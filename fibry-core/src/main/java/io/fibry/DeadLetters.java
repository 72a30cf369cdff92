package io.fibry;

import io.fibry.ContextCarrier.Attached;
import io.fibry.dispatch.OutOfMemory;
import org.jspecify.annotations.Nullable;

/** Ends messages that an actor has accepted but will not handle. Called by its consumer. */
final class DeadLetters {

    private DeadLetters() {}

    /** Ends these messages, because the actor has been stopped or has failed. Returns null: none is left. */
    static @Nullable Envelope discard(ActorState<?> actor, MessageCounts counts, Envelope first) {
        boolean hasFailed = actor.lifecycle().failure() != null;
        Envelope e = first;
        while (e != null) {
            try {
                end(actor, counts, e, hasFailed ? DeadLetter.Reason.FAILED : DeadLetter.Reason.STOPPED);
                e = e.next;
            } catch (OutOfMemoryError again) {
                OutOfMemory.pause();
            }
        }
        return null;
    }

    /** Ends one message. */
    static void end(ActorState<?> actor, MessageCounts counts, Envelope e, DeadLetter.Reason why) {
        Reply<?> reply = e.reply;
        if (reply == Reply.OF_SIGNAL) {
            return; // not a message
        }
        if (reply != null && e.isAsk() && !reply.isDone()) {
            reply.completeExceptionally(actor.stopped());
        }
        Attached context = Contexts.attach(Instruments.context(e)); // for the handler of the user
        try {
            counts.deadLetter(actor, e.message, why);
        } finally {
            Contexts.detach(context);
        }
        actor.lifecycle().countDiscarded();
    }
}
