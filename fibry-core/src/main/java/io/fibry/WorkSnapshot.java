package io.fibry;

import io.fibry.dispatch.Runner;
import org.jspecify.annotations.Nullable;

/**
 * The progress of an actor as another thread sees it, for exception messages and logs. It is approximate while the actor runs,
 * and exact for an actor that is stuck.
 */
final class WorkSnapshot {

    /** The maximum number of messages to count: the list may change during the traversal, which might not end otherwise. */
    private static final int LIMIT = 1_000_000;

    private final ActorState<?> actor;
    private final @Nullable Runner runner;
    private final @Nullable Envelope atWork;

    WorkSnapshot(ActorState<?> actor, @Nullable Runner runner) {
        this.actor = actor;
        this.runner = runner;
        atWork = runner == null ? null : atWork(actor, runner);
    }

    /** Finds the message at work. The actor publishes its position only now and then, and counts handled messages in between. */
    private static @Nullable Envelope atWork(ActorState<?> actor, Runner runner) {
        Envelope e = actor.inHand();
        for (long steps = actor.handled() - runner.handledAtHand(); e != null && steps > 0; e = e.next) {
            steps--;
        }
        return e;
    }

    /** The message at work, or null. */
    @Nullable
    Envelope atWork() {
        return atWork;
    }

    /** The stack trace of the handler. */
    StackTraceElement[] stack() {
        return runner == null || atWork == null ? new StackTraceElement[0] : runner.stack();
    }

    /** The number of messages before this ask, including the one at work; -1 if the ask is not found. */
    int position(Reply<?> ask) {
        int before = 0;
        for (Envelope e = atWork != null ? atWork : actor.inHand(); e != null && before < LIMIT; e = e.next) {
            if (e.reply == ask) {
                return before;
            }
            if (e == atWork || e.reply != Reply.OF_SIGNAL) {
                before++;
            }
        }
        WaitingRoom room = actor.room();
        int further = room != null ? room.position(ask) : positionOnStack(ask);
        return further < 0 ? -1 : before + further;
    }

    /** The number of messages below the ask on the stack, which arrived before it; -1 if the ask is not on the stack. */
    private int positionOnStack(Reply<?> ask) {
        int below = -1;
        int seen = 0;
        for (Envelope e = actor.newest(); e != null && seen < LIMIT; e = e.next) {
            if (below >= 0) {
                below += e.reply == Reply.OF_SIGNAL ? 0 : 1;
            } else if (e.reply == ask) {
                below = 0;
            }
            seen++;
        }
        return below;
    }
}
