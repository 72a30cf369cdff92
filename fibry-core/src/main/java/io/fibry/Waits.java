package io.fibry;

import io.fibry.dispatch.LogLimit;
import io.fibry.dispatch.PoolDispatcher;
import io.fibry.dispatch.Runner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The waits of actors for each other: for a reply, for room in a full mailbox, for an end. A wait that would complete a circle is
 * found before it begins.
 *
 * <p>A thread that is about to wait inside an actor publishes its {@link Wait} in the actor's {@link Runner}, then looks, then
 * waits, and withdraws it afterwards. The look goes from the target to the wait of the target's thread, and so on. Mostly the
 * target does not wait, and the look ends at once. A thread outside all actors blocks none, and does nothing of this.
 *
 * <p><b>What is reported is a deadlock.</b> A look that comes back to its own thread has only seen parts of the circle, one after
 * the other. So it looks three times, under a lock that only those who have found a circle take: it collects the waits; it checks
 * that each of them still has something to wait for; it compares the waits with those that are published now. Each wait is a new
 * object, so waits that are equal in the first and the third pass were there all the time between, and their threads did nothing
 * meanwhile. The reply of an actor in the circle, its end, and a message taken out of its mailbox can only come from its own
 * thread. So what the second pass has found holds until the third, when the whole circle is there at once. From then on none of the
 * waits can end by itself, unless somebody from outside interrupts or stops an actor, or completes a reply that is not his.
 *
 * <p><b>A reply that was sent is no wait.</b> Its asker may not have been woken up yet, so the second pass looks at the reply and
 * not at its asker. A deferred reply, and one that the message carries, may be given by anybody. They are no part of a circle.
 *
 * <p><b>Every circle is reported, once.</b> A thread publishes its wait, then passes a full fence, then looks. So of the threads of
 * a circle, the last one to publish sees the waits of all others. The waits of a circle stay, so its look is not mistaken. There
 * is one more way to complete a circle: a message that fills a mailbox whose actor waits. All senders that wait there look again;
 * see {@link Admission}. If two threads find the same circle, the first one withdraws its wait under the lock, and the second one
 * then finds none.
 *
 * <p>A wait with a limit ends by itself. A circle with such a wait is logged, and goes on.
 */
final class Waits {

    /** What a thread waits for. */
    enum Kind {
        REPLY("a reply of", ActorInfo.State.WAITS_FOR_REPLY),
        ROOM("room at", ActorInfo.State.WAITS_FOR_ROOM),
        EXIT("the end of", ActorInfo.State.WAITS_FOR_EXIT);

        final String what;
        final ActorInfo.State state;

        Kind(String what, ActorInfo.State state) {
            this.what = what;
            this.state = state;
        }
    }

    /** The maximum number of descendants to look at, when one of the waits is for an end. */
    private static final int MAX_FAMILY = 10_000;

    /** Taken only after a circle has been found. */
    private static final ReentrantLock LOCK = new ReentrantLock();

    private static final LogLimit WARNINGS = new LogLimit();

    private Waits() {}

    /** The wait of one thread, and so of all actors on its stack. A new object for each wait, compared by identity. */
    static final class Wait {
        final Kind kind;
        final ActorState<?> target;
        final boolean limited;
        private final @Nullable Reply<?> reply;
        private final List<Runner> runners;

        private Wait(Kind kind, ActorState<?> target, @Nullable Reply<?> reply, boolean limited, List<Runner> runners) {
            this.kind = kind;
            this.target = target;
            this.reply = reply;
            this.limited = limited;
            this.runners = runners;
        }

        /** Whether this is not over yet, as far as others can see. */
        private boolean holds() {
            return switch (kind) {
                case REPLY -> reply != null && !reply.isDone() && reply.onlyTargetReplies();
                case ROOM -> {
                    WaitingRoom room = target.waitingRoom();
                    yield room != null && room.holdsSenders();
                }
                case EXIT -> !target.hasEnded();
            };
        }

        /**
         * Publishes the wait and looks for a circle. If there is one without a limit, withdraws the wait and returns the circle.
         * The caller must not wait then. May be called again during the wait.
         */
        @Nullable
        Circle begin() {
            for (Runner runner : runners) {
                runner.waitsFor(this); // StoreLoad fence: before the look
            }
            return kind != Kind.EXIT && of(target) == null ? null : Waits.look(this);
        }

        /** Withdraws the wait. */
        void end() {
            for (Runner runner : runners) {
                runner.waitsNoMore();
            }
        }
    }

    /** A wait that was found on the way, and the actor whose thread waits. */
    private record Step(
            ActorState<?> actor, Wait itsWait, @Nullable Step previous) {}

    /** The wait for a reply, by the calling thread; null if it is inside no actor. */
    static @Nullable Wait forReply(ActorState<?> target, Reply<?> reply, boolean limited) {
        return make(Kind.REPLY, target, reply, limited);
    }

    /** The wait for room in a mailbox, by the calling thread; null if it is inside no actor. */
    static @Nullable Wait forRoom(ActorState<?> target, boolean limited) {
        return make(Kind.ROOM, target, null, limited);
    }

    /** The wait for the end of an actor, by the calling thread; null if it is inside no actor. */
    static @Nullable Wait forExit(ActorState<?> target, boolean limited) {
        return make(Kind.EXIT, target, null, limited);
    }

    private static @Nullable Wait make(Kind kind, ActorState<?> target, @Nullable Reply<?> reply, boolean limited) {
        Runner own = Runner.ofCurrentThread();
        if (!PoolDispatcher.isUsed()) {
            return own == null || !own.isAtWork() ? null : new Wait(kind, target, reply, limited, List.of(own.top()));
        }
        var runners = new ArrayList<Runner>(); // an executor may run an actor on the stack of another one
        if (own != null && own.isAtWork()) {
            runners.add(own.top());
        }
        PoolDispatcher.forEachRunnerOfCurrentThread(runners::add);
        return runners.isEmpty() ? null : new Wait(kind, target, reply, limited, runners);
    }

    /** What the thread of an actor waits for; null if it does not wait, or if the actor is not at work. */
    static @Nullable Wait of(ActorState<?> actor) {
        Runner r = actor.runner();
        if (r == null) {
            return null;
        }
        Object wait = r.top().waitsFor();
        return wait != null && actor.runner() == r ? (Wait) wait : null;
    }

    // ---- the look

    private static @Nullable Circle look(Wait mine) {
        if (!mine.limited && search(mine, false) != null) {
            LOCK.lock();
            try {
                Step found = confirmed(mine, false);
                if (found != null) {
                    var circle = new Circle(waits(found));
                    mine.end();
                    return circle;
                }
            } finally {
                LOCK.unlock();
            }
        }
        if (search(mine, true) != null) {
            warn(mine);
        }
        return null;
    }

    private static void warn(Wait mine) {
        Circle circle = null;
        LOCK.lock();
        try {
            Step found = confirmed(mine, true);
            if (found != null) {
                circle = new Circle(waits(found));
            }
        } finally {
            LOCK.unlock();
        }
        if (circle != null && WARNINGS.mayTell()) {
            Reports.circle(circle.toString(), WARNINGS.takeUntold());
        }
    }

    /** The first and the third pass, and the second one between them. */
    private static @Nullable Step confirmed(Wait mine, boolean alsoLimited) {
        while (true) {
            Step found = search(mine, alsoLimited);
            if (found == null) {
                return null;
            }
            boolean there = true;
            for (Step s = found; s != null && there; s = s.previous) {
                there = s.itsWait.holds();
            }
            for (Step s = found; s != null && there; s = s.previous) {
                there = of(s.actor) == s.itsWait;
            }
            if (there) {
                return found;
            }
        }
    }

    /**
     * Follows the waits from this one, until one of the actors that it blocks is reached. The last step then has that actor, and
     * this wait. Null if it is not reached.
     */
    private static @Nullable Step search(Wait mine, boolean alsoLimited) {
        Set<Wait> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Step> next = new ArrayDeque<>();
        pushTargets(mine, null, next);
        while (!next.isEmpty()) {
            Step step = next.pop();
            if (step.itsWait == mine) {
                return mine.holds() ? step : null;
            }
            if ((alsoLimited || !step.itsWait.limited) && step.itsWait.holds() && seen.add(step.itsWait)) {
                pushTargets(step.itsWait, step, next);
            }
        }
        return null;
    }

    /** An actor ends after its descendants, so the wait for its end is one for theirs. */
    private static void pushTargets(Wait wait, @Nullable Step step, Deque<Step> next) {
        if (wait.kind != Kind.EXIT) {
            push(wait.target, step, next);
            return;
        }
        List<ActorState<?>> family = new ArrayList<>(List.of(wait.target));
        for (int i = 0; i < family.size() && i < MAX_FAMILY; i++) {
            ActorState<?> member = family.get(i);
            push(member, step, next);
            Lifecycle l = member.lifecycleIfAny();
            if (l != null && l.childrenIfAny() != null) {
                family.addAll(l.livingChildren());
            }
        }
    }

    private static void push(ActorState<?> actor, @Nullable Step previous, Deque<Step> next) {
        Wait wait = of(actor);
        if (wait != null) {
            next.push(new Step(actor, wait, previous));
        }
    }

    /** From the actor on this thread's stack, to which the look has come back, to the last one before it. */
    private static List<Circle.Edge> waits(Step last) {
        var edges = new ArrayList<Circle.Edge>();
        for (Step s = last.previous; s != null; s = s.previous) {
            addStack(s, edges);
        }
        addStack(last, edges);
        return edges.reversed();
    }

    /** Adds the actor of this step and those on its stack, innermost first. Each of the others waits for the reply of the next. */
    private static void addStack(Step s, List<Circle.Edge> edges) {
        var above = new ArrayList<ActorState<?>>();
        Runner r = s.actor.runner();
        List<StackTraceElement> stack = r == null ? List.of() : List.of(r.stack());
        if (r != null) {
            r.forEachCurrent(current -> above.add((ActorState<?>) current));
        }
        int from = Math.max(0, above.indexOf(s.actor));
        List<ActorState<?>> onStack = above.isEmpty() ? List.of(s.actor) : above.subList(from, above.size());
        Kind kind = s.itsWait.kind;
        ActorState<?> target = s.itsWait.target;
        for (ActorState<?> actor : onStack.reversed()) {
            edges.add(new Circle.Edge(actor.name(), kind, target.name(), stack));
            kind = Kind.REPLY;
            target = actor;
        }
    }
}
