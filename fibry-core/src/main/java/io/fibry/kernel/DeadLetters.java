package io.fibry.kernel;

import io.fibry.ContextCarrier.Attached;
import io.fibry.DeadLetter;
import io.fibry.dispatch.OutOfMemory;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Discards messages that an actor has accepted but will not handle. Called by its consumer. */
final class DeadLetters {

    private static final BiConsumer<ActorState<?>, Envelope> DISCARD = DeadLetters::discardOne;

    private DeadLetters() {}

    /** The reason why a waiting message will not be handled. */
    static DeadLetter.Reason reason(ActorState<?> actor) {
        return actor.lifecycle().failure() != null ? DeadLetter.Reason.FAILED : DeadLetter.Reason.STOPPED;
    }

    /** Discards these messages, because the actor has been stopped or has failed. Returns null, the empty list. */
    static @Nullable Envelope discard(ActorState<?> actor, Envelope first) {
        for (Envelope e = first; e != null; e = MessageSegment.next(e)) {
            OutOfMemory.repeat(DISCARD, actor, e);
        }
        return null;
    }

    private static void discardOne(ActorState<?> actor, Envelope e) {
        end(actor, e, reason(actor));
    }

    /** Discards a signal. It is not a message itself, but may carry one that is lost with it. */
    static void end(ActorState<?> actor, Signal signal, DeadLetter.Reason why) {
        Object message = signal.lost();
        if (message != null) {
            Attached context = ContextPropagation.attach(signal.context());
            try {
                actor.deadLetter(message, why);
            } finally {
                ContextPropagation.detach(context);
            }
            actor.lifecycle().countDiscarded(1);
        }
        signal.discarded();
    }

    /** Discards one message. */
    static void end(ActorState<?> actor, Envelope e, DeadLetter.Reason why) {
        Reply<?> reply = e.reply;
        if (reply == Reply.OF_SIGNAL) {
            end(actor, (Signal) e.message, why);
            return;
        }
        if (reply != null && e.isAsk() && !reply.isDone()) {
            reply.completeExceptionally(actor.stopped());
        }
        Attached context = ContextPropagation.attach(Instrumentation.context(e)); // for the handler of the user
        try {
            actor.deadLetter(e.message, why);
        } finally {
            ContextPropagation.detach(context);
        }
        actor.lifecycle().countDiscarded(1);
    }
}
