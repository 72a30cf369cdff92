package io.fibry;

import org.jspecify.annotations.Nullable;

/** Ends messages that their actor has accepted and will not handle. By its consumer. */
final class DeadLetters {

    private DeadLetters() {}

    /** Ends these messages, since the actor has been stopped or has failed. Nothing is left of them: null. */
    static @Nullable Envelope discard(ActorState<?> actor, MessageCounts counts, Envelope first) {
        boolean hasFailed = actor.lifecycle().failure() != null;
        for (Envelope e = first; e != null; e = e.next) {
            end(actor, counts, e, hasFailed ? DeadLetter.Reason.FAILED : DeadLetter.Reason.STOPPED);
        }
        return null;
    }

    /** Ends one message. */
    static void end(ActorState<?> actor, MessageCounts counts, Envelope e, DeadLetter.Reason why) {
        Reply<?> reply = e.reply;
        if (reply == Reply.OF_SIGNAL) {
            return; // no message
        }
        if (reply != null && e.isAsk() && !reply.isDone()) {
            reply.completeExceptionally(actor.stopped());
        }
        actor.lifecycle().countDiscarded();
        counts.deadLetter(actor, e.message, why);
    }
}
