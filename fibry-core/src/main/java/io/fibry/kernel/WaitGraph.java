package io.fibry.kernel;

import io.fibry.ActorExit;
import io.fibry.ActorInfo;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.AskStage;
import io.fibry.dispatch.AskWait;
import io.fibry.dispatch.LogText;
import io.fibry.dispatch.OutOfMemory;
import io.fibry.dispatch.PoolDispatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The wait-for graph of actors: waits for a reply, for room in a full mailbox, for an end. A wait that would complete a
 * cycle is detected before it begins.
 *
 * <p>A thread that is about to wait inside an actor publishes its {@link Edge} in the actor's {@link ActorThread}, then
 * searches, then waits, and withdraws the wait afterwards. The search proceeds from the target to the wait of the
 * target's thread, and so on. Usually the target does not wait, and the search ends at once. A thread outside all
 * actors blocks no actor, and does none of this.
 *
 * <p><b>A reported cycle is a deadlock.</b> A search that returns to its own thread has read the edges of the cycle one
 * after the other, not at one moment. It therefore makes three passes, under a lock that is acquired only after a cycle
 * has been found: it collects the waits; it checks that the condition of each wait is still unsatisfied; it compares
 * the waits with the currently published ones. Each wait is a new object, so a wait that is identical in the first and
 * the third pass was published all the time in between, and its thread did nothing in that time. The reply of an actor
 * in the cycle, its end, and the removal of a message from its mailbox can only come from its own thread. The result of
 * the second pass therefore still holds in the third, when the whole cycle exists at one moment. From then on none of
 * the waits can end, unless a thread outside the cycle interrupts or stops an actor, or completes a reply in place of
 * the asked actor.
 *
 * <p><b>A wait for a completed reply is not an edge.</b> Its asker may not have been unparked yet, so the second pass
 * checks the reply rather than its asker. A deferred reply, and a reply carried by the message, may be completed by any
 * thread. Waits for them are not part of a cycle.
 *
 * <p><b>Every cycle is reported, exactly once.</b> A thread publishes its wait, then executes a full fence, then
 * searches. Of the threads of a cycle, the last one to publish therefore sees the waits of all others. The waits of a
 * cycle do not end, so its search confirms the cycle. There is one more way to complete a cycle: a message that fills a
 * mailbox whose actor waits. All senders that wait there search again; see {@link Admission}. If two threads find the
 * same cycle, the first one withdraws its wait under the lock, and the second one then finds none.
 *
 * <p><b>Waits without a thread.</b> A restarting actor waits for its children, a successor for its predecessor, and a
 * paused child for its supervisor. No thread holds the consumer's role of such an actor. The thread that releases the
 * role first publishes a wait in the {@link RareState}, and then searches; the thread that acquires the role first
 * withdraws the wait. Both happen under the lock that guards the ownership of the role. The proof above therefore also
 * holds for these waits: the actor does nothing while the same object is published. A draining actor publishes no such
 * wait: a message of a descendant may make it run at any time, and reply.
 *
 * <p><b>The wait that fails</b> is that of the thread that finds the cycle, if it is the thread of a behavior. A wait
 * without a thread, or of a supervisor, cannot fail. If such a wait completes a cycle, it makes another wait of the
 * cycle fail: it completes the reply of an ask, or it wakes a sender that waits for room, which then searches itself.
 * It records that under the lock, and a wait for a reply that will fail is no longer an edge. Exactly one wait of each
 * cycle therefore fails.
 *
 * <p><b>A wait for a stage</b> that depends on asks has no fixed target: it leads to the actors of all asks without
 * which the stage cannot complete. The ask that was followed is part of a step of the search, and the second pass
 * checks that the stage still depends on it. Its thread did nothing meanwhile, and only the blocked actor replies, so
 * this still holds in the third pass. If a function returns another ask later, the thread that runs it searches on
 * behalf of the waiting thread; see {@code AskSources}. As for a reply, another thread may complete the stage by hand
 * after the search.
 *
 * <p>A wait with a timeout ends by itself, and so does a wait for a stage that something else may complete, too: a
 * timeout, the other one of two stages, the deadline of several asks. A cycle with such a wait is only logged.
 */
final class WaitGraph {

    private static final Consumer<ActorState<?>> BREAK_CYCLE = WaitGraph::breakCycle;

    /** The kinds of wait. */
    enum Kind {
        REPLY("a reply of", ActorInfo.State.WAITS_FOR_REPLY),
        ROOM("room at", ActorInfo.State.WAITS_FOR_ROOM),
        EXIT("the end of", ActorInfo.State.WAITS_FOR_EXIT),
        PAUSE("the pause of", ActorInfo.State.WAITS_FOR_PAUSE),
        DECISION("a decision of", ActorInfo.State.PAUSED);

        final String what;
        final ActorInfo.State state;

        Kind(String what, ActorInfo.State state) {
            this.what = what;
            this.state = state;
        }
    }

    private WaitGraph() {}

    /**
     * The wait of one thread, and hence of all actors on its stack. A new object for each wait, compared by identity.
     */
    static final class Edge implements AskWait {
        final Kind kind;
        final boolean limited;

        /** The awaited actor; null if this is a wait for a stage, whose asks may change. */
        private final @Nullable ActorState<?> target;

        /** Fails a wait for a reply or an end; null if the wait must not fail. */
        private final @Nullable CompletableFuture<?> future;

        private final List<ActorThread> runners;

        /** The actors whose ends a restart waits for; the target is the first of them. Empty for all other waits. */
        List<ActorState<?>> children = List.of();

        /**
         * The future that is about to fail: that of this wait, or an ask that its stage depends on. Written under the
         * lock of {@link WaitCycles}.
         */
        volatile @Nullable CompletableFuture<?> failing;

        private Edge(
                Kind kind,
                @Nullable ActorState<?> target,
                @Nullable CompletableFuture<?> future,
                boolean limited,
                List<ActorThread> runners) {
            this.kind = kind;
            this.target = target;
            this.future = future;
            this.limited = limited;
            this.runners = runners;
        }

        /** The awaited actor of a wait that is not for a stage. */
        ActorState<?> target() {
            return Objects.requireNonNull(target, "a wait for a stage has no fixed target");
        }

        /** The stage that the thread waits for; null for all other waits. */
        @Nullable
        AskStage<?> stage() {
            return future instanceof AskStage<?> stage ? stage : null;
        }

        /** The awaited actor; null if a stage depends on no ask at this moment, or on one that any actor may answer. */
        @Nullable
        ActorState<?> awaited() {
            return stage() == null ? target : WaitGraph.awaited(future);
        }

        /**
         * Passes the asks that the stage depends on to the action, if only the asked actor can reply.
         *
         * @param alsoLimited whether to include asks without which the stage may complete, and asks with a timeout
         */
        void forEachAsk(boolean alsoLimited, Consumer<Reply<?>> action) {
            AskStage<?> stage = stage();
            if (stage != null) {
                stage.forEachAsk(null, (ask, isNecessary) -> {
                    if (ask instanceof Reply<?> reply
                            && reply != failing
                            && reply.onlyTargetReplies()
                            && (alsoLimited || (isNecessary && !reply.hasTimeout()))) {
                        action.accept(reply);
                    }
                });
            }
        }

        /** Whether the stage still depends on this ask. */
        boolean dependsOn(Reply<?> ask, boolean alsoLimited) {
            boolean[] found = new boolean[1];
            forEachAsk(alsoLimited, each -> found[0] |= each == ask);
            return found[0];
        }

        /** Whether the condition of this wait is still unsatisfied, as far as other threads can see. */
        boolean holds() {
            if (failing != null && failing == future) {
                return false;
            }
            return switch (kind) {
                case REPLY ->
                    future instanceof Reply<?> reply
                            ? !reply.isDone() && reply.onlyTargetReplies()
                            : future != null && !future.isDone();
                case ROOM -> {
                    BoundedMailbox bounded = target().boundedMailbox();
                    yield bounded != null && bounded.holdsSenders();
                }
                case EXIT -> !children.isEmpty() || !target().hasEnded();
                case PAUSE -> {
                    Lifecycle l = target().lifecycleIfAny();
                    Pause pause = l == null ? null : l.pauseIfAny();
                    yield pause != null && pause.isWanted();
                }
                case DECISION -> true; // while it is published
            };
        }

        boolean mayFail() {
            return kind == Kind.ROOM || (future != null && (failing == null || failing != future));
        }

        /**
         * Makes the wait fail, or makes its thread search itself.
         *
         * @param ask the ask of the cycle, if this is a wait for a stage
         */
        void fail(WaitCycle cycle, @Nullable Reply<?> ask) {
            BoundedMailbox bounded = kind == Kind.ROOM ? target().boundedMailbox() : null;
            CompletableFuture<?> fails = ask != null ? ask : future;
            if (bounded != null) {
                bounded.lookAgain();
            } else if (fails != null) {
                fails.completeExceptionally(kind == Kind.REPLY ? cycle.exception() : neverEnds(cycle));
            }
        }

        /** Notes what will fail. Under the lock of {@link WaitCycles}. A sender that waits for room searches itself. */
        void willFail(@Nullable Reply<?> ask) {
            if (kind != Kind.ROOM) {
                failing = ask != null ? ask : future;
            }
        }

        private IllegalStateException neverEnds(WaitCycle cycle) {
            return new IllegalStateException("the wait for the end of actor " + LogText.plain(target().name())
                    + " would never end: " + LogText.plain(cycle));
        }

        /**
         * Publishes the wait and searches for a cycle. If there is one without a timeout, withdraws the wait and
         * returns the cycle; the caller must then not wait. May be called again during the wait.
         */
        @Nullable
        WaitCycle begin() {
            for (ActorThread runner : runners) {
                runner.waitsFor(this); // StoreLoad fence: before the search
            }
            return kind != Kind.EXIT && of(target()) == null ? null : WaitCycles.look(this);
        }

        /** As {@link #begin()}, for a wait for an end. */
        void beginOrThrow() {
            WaitCycle cycle = begin();
            if (cycle != null) {
                throw neverEnds(cycle);
            }
        }

        /** Publishes the wait of a supervisor, and makes another wait fail if this one completes a cycle. */
        void beginOfSupervisor() {
            for (ActorThread runner : runners) {
                runner.waitsFor(this); // StoreLoad fence: before the search
            }
            WaitCycles.breakWith(this);
        }

        /**
         * The stage of this wait depends on another ask. Searches for cycles with the wait, and makes an ask of each of
         * them fail: one that the stage depends on, if its failure breaks the cycle.
         */
        @Override
        public void changed() {
            AskStage<?> stage = stage();
            if (stage != null) {
                stage.forEachAsk(this, (ask, isNecessary) -> {});
                WaitCycles.breakWith(this);
            }
        }

        /** Withdraws the wait. */
        @Override
        public void end() {
            for (ActorThread runner : runners) {
                runner.waitsNoMore();
            }
        }
    }

    /** The wait for a reply, by the calling thread; null if it is inside no actor. */
    static @Nullable Edge forReply(ActorState<?> target, Reply<?> reply, boolean limited) {
        return make(Kind.REPLY, target, reply, limited);
    }

    /** Publishes the wait of the calling thread for a stage; null if it is inside no actor. */
    static @Nullable AskWait beginForStage(AskStage<?> stage, boolean limited) {
        Edge wait = make(Kind.REPLY, null, stage, limited);
        if (wait == null) {
            return null;
        }
        try {
            for (ActorThread runner : wait.runners) {
                runner.waitsFor(wait); // StoreLoad fence: before the search
            }
            wait.changed();
            return wait;
        } catch (Throwable t) {
            wait.end();
            throw t;
        }
    }

    /** The wait for room in a mailbox, by the calling thread; null if it is inside no actor. */
    static @Nullable Edge forRoom(ActorState<?> target, boolean limited) {
        return make(Kind.ROOM, target, null, limited);
    }

    /**
     * The wait for the end of an actor, by the calling thread; null if it is inside no actor.
     *
     * @param exit the future that the thread waits for, which fails if another wait completes a cycle; null if the wait
     *     has a timeout
     */
    static @Nullable Edge forExit(ActorState<?> target, @Nullable CompletableFuture<ActorExit> exit) {
        return make(Kind.EXIT, target, exit, exit == null);
    }

    /** The wait of a supervisor for a child; null if the calling thread is inside no actor. It has no timeout. */
    static @Nullable Edge ofSupervisor(Kind kind, ActorState<?> child) {
        return make(kind, child, null, false);
    }

    /** A wait without a thread. */
    static Edge held(Kind kind, ActorState<?> target) {
        return new Edge(kind, target, null, false, List.of());
    }

    /** The wait of a suspended handler for the reply to an ask, or for a stage whose target is null. */
    static Edge suspended(@Nullable ActorState<?> target, CompletableFuture<?> future, boolean limited) {
        return new Edge(Kind.REPLY, target, future, limited, List.of());
    }

    /** The wait of a restarting actor for its children, which occupies no thread. */
    static Edge forChildren(List<ActorState<?>> children) {
        Edge wait = held(Kind.EXIT, children.getFirst());
        wait.children = children;
        return wait;
    }

    private static @Nullable Edge make(
            Kind kind, @Nullable ActorState<?> target, @Nullable CompletableFuture<?> reply, boolean limited) {
        ActorThread own = ActorThread.ofCurrentThread();
        if (!PoolDispatcher.isUsed()) {
            return own == null || !own.isRunning() ? null : new Edge(kind, target, reply, limited, List.of(own.top()));
        }
        var runners = new ArrayList<ActorThread>(); // an executor may run one actor on the stack of another
        if (own != null && own.isRunning()) {
            runners.add(own.top());
        }
        PoolDispatcher.forEachRunnerOfCurrentThread(runners::add);
        return runners.isEmpty() ? null : new Edge(kind, target, reply, limited, runners);
    }

    /** The actor whose reply completes this ask, or an ask that this stage depends on; null if it is unknown. */
    static @Nullable ActorState<?> awaited(@Nullable Object askOrStage) {
        if (askOrStage instanceof Reply<?> reply) {
            return reply.isDone() ? null : reply.target();
        }
        @Nullable ActorState<?>[] first = new ActorState<?>[1];
        if (askOrStage instanceof AskStage<?> stage) {
            stage.forEachAsk(null, (ask, isNecessary) -> {
                if (first[0] == null && ask instanceof Reply<?> reply) {
                    first[0] = reply.target();
                }
            });
        }
        return first[0];
    }

    /** The wait of an actor, with or without a thread; null if it does not wait. */
    static @Nullable Edge of(ActorState<?> actor) {
        ActorThread r = actor.runner();
        if (r == null) {
            return withoutThread(actor);
        }
        Object wait = r.top().waitsFor();
        return wait != null && actor.runner() == r ? (Edge) wait : null;
    }

    private static @Nullable Edge withoutThread(ActorState<?> actor) {
        Lifecycle l = actor.lifecycleIfAny();
        RareState e = l == null ? null : l.rareStateIfAny();
        Edge wait = e == null ? null : e.heldWait();
        Envelope suspended = wait == null ? actor.suspended() : null;
        return suspended == null ? wait : suspended.suspendedWait();
    }

    /**
     * Called after a wait without a thread has been published: makes another wait fail if this one completes a cycle.
     */
    static void lookFrom(ActorState<?> actor) {
        OutOfMemory.repeat(BREAK_CYCLE, actor); // otherwise the cycle would stay
    }

    private static void breakCycle(ActorState<?> actor) {
        Edge wait = withoutThread(actor);
        if (wait != null) {
            WaitCycles.breakWith(wait);
        }
    }
}
