package io.fibry.kernel;

import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.LogLimit;
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
 * Searches for cycles among the published waits. {@link WaitGraph} has the proof that a cycle found here is a deadlock.
 */
final class WaitCycles {

    /** The maximum number of descendants to visit for a wait for an end. */
    private static final int MAX_FAMILY = 10_000;

    /** Acquired only after a cycle has been found. */
    private static final ReentrantLock LOCK = new ReentrantLock();

    private static final LogLimit WARNINGS = new LogLimit();

    private WaitCycles() {}

    /**
     * A wait on the path of the search, and the actor whose thread waits.
     *
     * @param via the ask by which the previous wait leads to the actor, if that is a wait for a stage
     */
    private record Step(
            ActorState<?> actor,
            WaitGraph.Edge itsWait,
            @Nullable Step previous,
            @Nullable Reply<?> via) {}

    /** Searches for a cycle with this wait of the calling thread. Withdraws the wait if it has to fail. */
    static @Nullable WaitCycle look(WaitGraph.Edge mine) {
        if (!mine.limited && search(mine, false, Set.of()) != null) {
            LOCK.lock();
            try {
                Step found = confirmed(mine, false, Set.of());
                if (found != null) {
                    var cycle = new WaitCycle(waits(found));
                    mine.end();
                    return cycle;
                }
            } finally {
                LOCK.unlock();
            }
        }
        if (search(mine, true, Set.of()) != null) {
            warn(mine);
        }
        return null;
    }

    /** Makes another wait fail in each cycle with this one. */
    static void breakWith(WaitGraph.Edge mine) {
        Set<WaitGraph.Edge> asked = Collections.newSetFromMap(new IdentityHashMap<>());
        while (!mine.limited && search(mine, false, asked) != null) {
            WaitGraph.Edge failing;
            Reply<?> ask = null;
            WaitCycle cycle;
            LOCK.lock();
            try {
                Step found = confirmed(mine, false, asked);
                if (found == null) {
                    break;
                }
                cycle = new WaitCycle(waits(found));
                failing = mine.mayFail() ? mine : oneThatMayFail(found);
                if (failing != null) {
                    ask = askOf(failing, found, mine);
                    if (ask == null) {
                        asked.add(failing);
                    }
                    failing.willFail(ask);
                }
            } finally {
                LOCK.unlock();
            }
            if (failing == null) {
                KernelLog.cycle(cycle.toString(), 0);
                return;
            }
            failing.fail(cycle, ask);
        }
        if (search(mine, true, Set.of()) != null) {
            warn(mine);
        }
    }

    /** Selects the wait that fails: an ask if there is one, else a wait for an end or for room. */
    private static WaitGraph.@Nullable Edge oneThatMayFail(Step last) {
        WaitGraph.Edge found = null;
        for (Step s = last; s != null; s = s.previous) {
            WaitGraph.Edge wait = s.itsWait;
            if (wait.mayFail() && (found == null || wait.kind == WaitGraph.Kind.REPLY)) {
                found = wait;
            }
        }
        return found;
    }

    /** The ask by which this wait leads to the next actor of the cycle; null if it is not for a stage. */
    private static @Nullable Reply<?> askOf(WaitGraph.Edge wait, Step last, WaitGraph.Edge mine) {
        for (Step s = last; s != null; s = s.previous) {
            if (before(s, mine) == wait) {
                return s.via;
            }
        }
        return null;
    }

    /** The wait that leads to the actor of this step. */
    private static WaitGraph.Edge before(Step s, WaitGraph.Edge mine) {
        return s.previous == null ? mine : s.previous.itsWait;
    }

    private static void warn(WaitGraph.Edge mine) {
        WaitCycle cycle = null;
        LOCK.lock();
        try {
            Step found = confirmed(mine, true, Set.of());
            if (found != null) {
                cycle = new WaitCycle(waits(found));
            }
        } finally {
            LOCK.unlock();
        }
        if (cycle != null && WARNINGS.tryLog()) {
            KernelLog.cycle(cycle.toString(), WARNINGS.takeSuppressed());
        }
    }

    /** The three passes described in {@link WaitGraph}; repeats them if the waits have changed. */
    private static @Nullable Step confirmed(WaitGraph.Edge mine, boolean alsoLimited, Set<WaitGraph.Edge> without) {
        while (true) {
            Step found = search(mine, alsoLimited, without);
            if (found == null) {
                return null;
            }
            boolean there = true;
            for (Step s = found; s != null && there; s = s.previous) {
                there = s.itsWait.holds() && (s.via == null || before(s, mine).dependsOn(s.via, alsoLimited));
            }
            for (Step s = found; s != null && there; s = s.previous) {
                there = WaitGraph.of(s.actor) == s.itsWait;
            }
            if (there) {
                return found;
            }
        }
    }

    /**
     * Follows the waits from this one, until an actor that it blocks is reached. Returns the last step, with that actor
     * and this wait; null if none is reached. Does not follow the waits in {@code without}.
     */
    private static @Nullable Step search(WaitGraph.Edge mine, boolean alsoLimited, Set<WaitGraph.Edge> without) {
        Set<WaitGraph.Edge> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        seen.addAll(without);
        Deque<Step> next = new ArrayDeque<>();
        pushTargets(mine, null, alsoLimited, next);
        while (!next.isEmpty()) {
            Step step = next.pop();
            if (step.itsWait == mine) {
                return mine.holds() ? step : null;
            }
            if ((alsoLimited || !step.itsWait.limited) && step.itsWait.holds() && seen.add(step.itsWait)) {
                pushTargets(step.itsWait, step, alsoLimited, next);
            }
        }
        return null;
    }

    /** An actor ends after its descendants, so a wait for its end is also a wait for their ends. */
    private static void pushTargets(WaitGraph.Edge wait, @Nullable Step step, boolean alsoLimited, Deque<Step> next) {
        if (wait.stage() != null) {
            wait.forEachAsk(alsoLimited, ask -> {
                ActorState<?> target = ask.target();
                if (target != null) {
                    push(target, step, ask, next);
                }
            });
            return;
        }
        if (wait.kind != WaitGraph.Kind.EXIT) {
            push(wait.target(), step, null, next);
            return;
        }
        List<ActorState<?>> family = new ArrayList<>(wait.children.isEmpty() ? List.of(wait.target()) : wait.children);
        for (int i = 0; i < family.size() && i < MAX_FAMILY; i++) {
            ActorState<?> member = family.get(i);
            push(member, step, null, next);
            Lifecycle l = member.lifecycleIfAny();
            if (l != null && l.childrenIfAny() != null) {
                family.addAll(l.livingChildren());
            }
        }
    }

    private static void push(ActorState<?> actor, @Nullable Step previous, @Nullable Reply<?> via, Deque<Step> next) {
        WaitGraph.Edge wait = WaitGraph.of(actor);
        if (wait != null) {
            next.push(new Step(actor, wait, previous, via));
        }
    }

    /**
     * The edges from the actor on this thread's stack, at which the search has arrived, to its predecessor in the
     * cycle.
     */
    private static List<WaitCycle.Edge> waits(Step last) {
        var edges = new ArrayList<WaitCycle.Edge>();
        ActorState<?> next = last.actor;
        for (Step s = last.previous; s != null; s = s.previous) {
            addStack(s, next, edges);
            next = s.actor;
        }
        addStack(last, next, edges);
        return edges.reversed();
    }

    /**
     * Adds the actor of this step and the actors above it on the stack, innermost first. Each of the others waits for
     * the reply of the actor above it.
     */
    private static void addStack(Step s, ActorState<?> next, List<WaitCycle.Edge> edges) {
        var above = new ArrayList<ActorState<?>>();
        ActorThread r = s.actor.runner();
        List<StackTraceElement> stack = r == null ? List.of() : List.of(r.stack());
        if (r != null) {
            r.forEachCurrent(current -> above.add((ActorState<?>) current));
        }
        int from = Math.max(0, above.indexOf(s.actor));
        List<ActorState<?>> onStack = above.isEmpty() ? List.of(s.actor) : above.subList(from, above.size());
        WaitGraph.Kind kind = s.itsWait.kind;
        ActorState<?> child = s.itsWait.children.isEmpty() ? null : next.childBelow(s.actor);
        ActorState<?> target = s.itsWait.stage() != null ? next : child == null ? s.itsWait.target() : child;
        for (ActorState<?> actor : onStack.reversed()) {
            edges.add(new WaitCycle.Edge(actor.name(), kind, target.name(), stack));
            kind = WaitGraph.Kind.REPLY;
            target = actor;
        }
    }
}
