package io.fibry.kernel;

import io.fibry.dispatch.Time;
import org.jspecify.annotations.Nullable;

/**
 * The deadline of a stop or of the close of a system: a value of {@link Time#nanos}. A draining actor does not wait for
 * timers that are due later, whether they were started before the stop or during the drain.
 *
 * <p>The deadline of a stop also applies to the descendants. It is stored in the {@link RareState} of each, but only if
 * that exists, so that a stop allocates nothing for each of a million children. An actor with children has one. An
 * actor therefore finds its deadline if it reads its own and that of its parent, and if its parent
 * {@linkplain #passOn passes on} its deadline before it stops its children, since some of them may have been created
 * after the stop.
 *
 * <p><b>No timer is missed.</b> A deadline is stored first, and then the running timers are read under the lock of the
 * lifecycle. A start adds its timer and reads the deadlines under the same lock. Either the reader finds the timer, or
 * the start finds the deadline. The close of a system reads the timers of registered actors only, and of none while no
 * work is pending. A start therefore registers its actor, and begins pending work, before it reads the deadlines.
 */
final class DrainDeadline {

    private DrainDeadline() {}

    /** Sets the deadline of a stopped actor and its descendants, unless they have an earlier one. Any thread. */
    static void set(ActorState<?> actor, long time) {
        Long deadline = time;
        actor.lifecycle().rareState();
        for (ActorState<?> each : actor.family()) {
            setAlone(each, deadline);
        }
    }

    /** Sets the deadline of a system that is being closed, for all its actors and new ones. */
    static void set(ActorRegistry registry, long time) {
        Long deadline = time;
        registry.drainDeadline = deadline;
        if (!registry.pendingWork().isNone()) {
            for (ActorState<?> root : registry.roots()) {
                for (ActorState<?> each : root.family()) {
                    giveUpTimers(each, deadline);
                }
            }
        }
    }

    /** Sets the deadline of the children of an actor that is about to stop them. May be repeated. */
    static void passOn(ActorState<?> parent) {
        Long deadline = ofStop(parent);
        if (deadline != null) {
            setAlone(parent, deadline);
            for (ActorState<?> child : parent.lifecycle().livingChildren()) {
                setAlone(child, deadline);
            }
        }
    }

    private static void setAlone(ActorState<?> actor, Long deadline) {
        Lifecycle l = actor.lifecycle();
        RareState rareState = l.rareStateIfAny();
        if (rareState != null) {
            l.lock();
            try {
                rareState.drainDeadline = earlier(rareState.drainDeadline, deadline);
            } finally {
                l.unlock();
            }
        }
        giveUpTimers(actor, deadline);
    }

    private static void giveUpTimers(ActorState<?> actor, Long deadline) {
        ContextState context = actor.context();
        if (context != null) {
            context.giveUpTimersAfter(deadline);
        }
    }

    /** Whether a time is later than a deadline of an actor. */
    static boolean precedes(long time, ActorState<?> actor) {
        return isBefore(ofStop(actor), time) || isBefore(actor.registry().drainDeadline, time);
    }

    private static boolean isBefore(@Nullable Long deadline, long time) {
        return deadline != null && time - deadline > 0;
    }

    private static @Nullable Long ofStop(ActorState<?> actor) {
        ActorState<?> parent = actor.lifecycle().parent();
        Long inherited = parent == null ? null : stored(parent);
        Long own = stored(actor);
        return own == null ? inherited : earlier(inherited, own);
    }

    private static @Nullable Long stored(ActorState<?> actor) {
        RareState rareState = actor.lifecycle().rareStateIfAny();
        return rareState == null ? null : rareState.drainDeadline;
    }

    private static Long earlier(@Nullable Long one, Long other) {
        return one != null && one - other < 0 ? one : other;
    }
}
