package io.fibry.kernel;

import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.AskStage;
import io.fibry.dispatch.Control;
import io.fibry.dispatch.OutOfMemory;
import io.fibry.dispatch.SuspendedHandler;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** The turns of an actor in which its handler is suspended, or resumed. {@link SuspendedMessage} has the proof. */
final class SuspendedTurn {

    private SuspendedTurn() {}

    /**
     * Ends the turn in which a handler has been suspended.
     *
     * @return {@link ActorCell#PARKED} or {@link ActorCell#TURN_ENDED}
     */
    static int begin(ActorCell<?> actor, ActorThread r, SuspendedHandler handler, Envelope sent) {
        SuspendedMessage message = message(actor, handler, sent);
        if (Thread.interrupted()) {
            message.oweInterrupt();
        }
        if (isCounted(actor, sent)) {
            actor.uncount(r); // until it is handled
        }
        actor.putBack(message);
        int left = !handler.hasWork() && parks(actor, r, message)
                ? ActorCell.PARKED
                : resume(actor, r, message, ActorCell.BATCH);
        return left < 0 ? left : end(actor, r, message);
    }

    /** The handler is suspended already, so it cannot fail for lack of memory. */
    private static SuspendedMessage message(ActorCell<?> actor, SuspendedHandler handler, Envelope sent) {
        while (true) {
            try {
                return new SuspendedMessage(actor, handler, sent);
            } catch (OutOfMemoryError e) {
                OutOfMemory.pause();
            }
        }
    }

    /** Whether the actor counts the message as handled. A stashed message is counted later. */
    private static boolean isCounted(ActorCell<?> actor, Envelope sent) {
        CellContext<?, ?> context = actor.context();
        return sent.reply != Reply.OF_SIGNAL && (context == null || !context.isStashed());
    }

    /**
     * Resumes the suspended handler of an actor, if there is one, at the start of a turn.
     *
     * @param awaited the reply for which the actor below on this stack waits; null if there is none
     * @return the rest of the batch, {@link ActorCell#PARKED} or {@link ActorCell#TURN_ENDED}
     */
    static int resume(ActorCell<?> actor, ActorThread r, int batch, @Nullable Future<?> awaited) {
        SuspendedMessage message = SuspendedMessage.of(actor);
        int left = message == null ? batch : resume(actor, r, message, batch);
        // The next handler might wait for the actor below on this stack.
        return left > 0 && awaited != null && awaited.isDone() ? 0 : left;
    }

    /** A handler may add a step in each of its steps, as a loop that yields does: other actors run in between. */
    private static int resume(ActorCell<?> actor, ActorThread r, SuspendedMessage message, int batch) {
        SuspendedHandler handler = message.handler;
        int left = batch;
        do {
            left--;
            Control control = Control.ofCurrentThread();
            if (control != null) {
                control.resumed(actor);
            }
            message.waitsFor(null);
            runSteps(actor, r, message);
            if (handler.isComplete()) {
                complete(actor, r, message);
                return left;
            }
            if (!handler.hasWork() && parks(actor, r, message)) {
                return ActorCell.PARKED;
            }
        } while (left > 0 && !r.isSliceOver());
        return end(actor, r, message);
    }

    private static void runSteps(ActorCell<?> actor, ActorThread r, SuspendedMessage message) {
        CellContext<?, ?> context = actor.context();
        if (context != null) {
            context.resume(message);
        }
        r.takes(actor.handled());
        message.interruptIfOwed();
        message.handler.runSteps();
        message.interruptIfOwed();
    }

    /** Ends a turn that still holds the role: another one has to follow. */
    private static int end(ActorCell<?> actor, ActorThread r, SuspendedMessage message) {
        withdraw(actor, r, message);
        return ActorCell.TURN_ENDED;
    }

    /** Ends a turn, and parks the role. Returns false if there is something to do, and the turn goes on. */
    private static boolean parks(ActorCell<?> actor, ActorThread r, SuspendedMessage message) {
        message.publish();
        Control control = Control.ofCurrentThread();
        if (control != null) {
            control.suspended(actor);
        }
        WaitGraph.Edge edge = edge(message.handler.awaited());
        message.waitsFor(edge);
        withdraw(actor, r, message);
        if (!message.park()) {
            actor.announce(r);
            return false;
        }
        if (edge != null) {
            WaitGraph.lookFrom(actor);
        }
        return true;
    }

    private static void withdraw(ActorCell<?> actor, ActorThread r, SuspendedMessage message) {
        if (actor.withdraw(r)) {
            message.oweInterrupt();
        }
    }

    private static WaitGraph.@Nullable Edge edge(@Nullable CompletableFuture<?> awaited) {
        if (awaited instanceof Reply<?> reply) {
            ActorState<?> target = reply.target();
            return target == null ? null : WaitGraph.suspended(target, reply, reply.hasTimeout());
        }
        return awaited instanceof AskStage<?> stage ? WaitGraph.suspended(null, stage, true) : null;
    }

    /** Handles the result like {@link ActorCell#handle}. */
    private static void complete(ActorCell<?> actor, ActorThread r, SuspendedMessage message) {
        CellContext<?, ?> context = actor.context();
        try {
            Object result = message.handler.result();
            if (message.isAsk()) {
                reply(actor, r, Objects.requireNonNull(message.reply), result);
            }
        } catch (Throwable t) {
            Failures.of(actor, r, message.sent, t);
        }
        if (isCounted(actor, message)) {
            actor.countInner(r);
        }
        Thread.interrupted(); // as after any handler
        if (context != null) {
            context.done();
        }
        actor.putBack(message.next);
        message.ended();
    }

    @SuppressWarnings("unchecked") // the result is that of the actor's behavior
    private static void reply(ActorCell<?> actor, ActorThread r, Reply<?> asked, @Nullable Object result) {
        if (asked.isInMessage()) {
            DeferredReplies.addUnlessReplied(actor, r, asked);
            return;
        }
        Object reply = actor.replyFor(result);
        if (reply != Reply.NOT_YET) {
            ((Reply<@Nullable Object>) asked).complete(reply);
        }
    }
}
