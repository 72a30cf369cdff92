package io.fibry.kernel;

import io.fibry.ContextCarrier.Attached;
import io.fibry.DeadLetter;
import io.fibry.dispatch.OutOfMemory;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Discards messages that an actor has accepted but will not handle. Called by its consumer. */
final class DeadLetters {

    private static final BiConsumer<ActorState<?>, Object> DISCARD = DeadLetters::discardOne;

    private DeadLetters() {}

    /** The reason why a waiting message will not be handled. */
    static DeadLetter.Reason reason(ActorState<?> actor) {
        return actor.lifecycle().failure() != null ? DeadLetter.Reason.FAILED : DeadLetter.Reason.STOPPED;
    }

    /** Discards these messages, because the actor has been stopped or has failed. Returns null, the empty list. */
    static @Nullable Envelope discard(ActorState<?> actor, Envelope first) {
        for (Envelope node = first; node != null; node = node.next) {
            if (node instanceof MessageSegment s) {
                discard(actor, s);
            } else {
                OutOfMemory.repeat(DISCARD, actor, node);
            }
        }
        return null;
    }

    /** Creates one envelope at a time: the backlog may be the reason why memory is exhausted. */
    private static void discard(ActorState<?> actor, MessageSegment segment) {
        actor.inHand(segment); // the messages before it are no longer reachable
        Object message;
        for (int i = 0; (message = segment.message(i)) != null; i++) {
            OutOfMemory.repeat(DISCARD, actor, message);
        }
    }

    private static void discardOne(ActorState<?> actor, Object message) {
        end(actor, message instanceof Envelope e ? e : new Envelope(message, null), reason(actor));
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
