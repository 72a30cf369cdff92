package io.fibry;

import io.fibry.dispatch.Runner;
import org.jspecify.annotations.Nullable;

/**
 * How far an actor has got, as another thread sees it: a look at things in motion, for messages to people. What it says of an
 * actor that is stuck is exact.
 */
final class WorkSnapshot {

    /** More than so many are not counted: the walk might follow messages that are moving away. */
    private static final int LIMIT = 1_000_000;

    private final ActorState<?> actor;
    private final @Nullable Runner runner;
    private final @Nullable Envelope atWork;

    WorkSnapshot(ActorState<?> actor, @Nullable Runner runner) {
        this.actor = actor;
        this.runner = runner;
        atWork = runner == null ? null : atWork(actor, runner);
    }

    /** The actor notes where it is in what it has taken now and then, and counts in between. */
    private static @Nullable Envelope atWork(ActorState<?> actor, Runner runner) {
        Envelope e = actor.inHand();
        for (long steps = actor.handled() - runner.handledAtHand(); e != null && steps > 0; e = e.next) {
            steps--;
        }
        return e;
    }

    /** The message at work. */
    @Nullable
    Envelope atWork() {
        return atWork;
    }

    /** Where the handler stands. */
    StackTraceElement[] stack() {
        return runner == null || atWork == null ? new StackTraceElement[0] : runner.stack();
    }

    /** How many messages come before this ask, counting the one at work; -1 if it is not found. */
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

    /** The newest one is on top: those before it are below. */
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
