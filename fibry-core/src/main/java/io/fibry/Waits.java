package io.fibry;

import io.fibry.dispatch.OutOfMemory;
import io.fibry.dispatch.PoolDispatcher;
import io.fibry.dispatch.Runner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
 * <p><b>Waits without a thread.</b> A restarting actor waits for its children, a successor for its predecessor, and a paused child for
 * its supervisor. No thread holds the consumer's role of such an actor. The thread that gives the role up publishes a wait in the
 * {@link Extras} first, and then looks; the thread that takes the role withdraws it before anything else. Both happen under the
 * lock that decides who has the role. The proof above therefore holds for these waits too: the actor does nothing while the same
 * object is published. A draining actor publishes no such wait: a message of a descendant may make it run at any time, and reply.
 *
 * <p><b>Which wait fails.</b> The wait of the thread that finds the cycle, if that is the thread of a behavior. A wait without a thread
 * cannot fail, nor can one of a supervisor. Such a wait that completes a cycle makes another wait of the cycle fail instead: it
 * completes the reply of an ask, or it wakes a sender that waits for room, which then looks itself. It notes that under the lock, and
 * a reply that will fail is no wait any more. Hence one wait of each cycle fails.
 *
 * <p>A wait with a limit ends by itself. A circle with such a wait is logged, and goes on.
 */
final class Waits {

    /** What a thread waits for. */
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

    private Waits() {}

    /** The wait of one thread, and so of all actors on its stack. A new object for each wait, compared by identity. */
    static final class Wait {
        final Kind kind;
        final ActorState<?> target;
        final boolean limited;

        /** Fails a wait for a reply or an end; null if the wait must not fail. */
        private final @Nullable CompletableFuture<?> future;

        private final List<Runner> runners;

        /** The actors whose ends a restart waits for; the target is the first of them. Empty for all other waits. */
        List<ActorState<?>> children = List.of();

        /** Whether it is about to fail. Written under the lock of {@link WaitCycles}. */
        volatile boolean failing;

        private Wait(
                Kind kind,
                ActorState<?> target,
                @Nullable CompletableFuture<?> future,
                boolean limited,
                List<Runner> runners) {
            this.kind = kind;
            this.target = target;
            this.future = future;
            this.limited = limited;
            this.runners = runners;
        }

        /** Whether this is not over yet, as far as others can see. */
        boolean holds() {
            if (failing) {
                return false;
            }
            return switch (kind) {
                case REPLY -> future instanceof Reply<?> reply && !reply.isDone() && reply.onlyTargetReplies();
                case ROOM -> {
                    WaitingRoom room = target.waitingRoom();
                    yield room != null && room.holdsSenders();
                }
                case EXIT -> !children.isEmpty() || !target.hasEnded();
                case PAUSE -> {
                    Lifecycle l = target.lifecycleIfAny();
                    Pause pause = l == null ? null : l.pauseIfAny();
                    yield pause != null && pause.isWanted();
                }
                case DECISION -> true; // while it is published
            };
        }

        boolean mayFail() {
            return kind == Kind.ROOM || (future != null && !failing);
        }

        /** Makes the wait fail, or its thread look itself. */
        void fail(Circle circle) {
            WaitingRoom room = target.waitingRoom();
            if (kind == Kind.ROOM && room != null) {
                room.lookAgain();
            } else if (future != null) {
                future.completeExceptionally(kind == Kind.REPLY ? circle.exception() : neverEnds(circle));
            }
        }

        private IllegalStateException neverEnds(Circle circle) {
            return new IllegalStateException(
                    "the wait for the end of actor " + target.name() + " would never end: " + circle);
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
            return kind != Kind.EXIT && of(target) == null ? null : WaitCycles.look(this);
        }

        /** As {@link #begin()}, for a wait for an end. */
        void beginOrThrow() {
            Circle circle = begin();
            if (circle != null) {
                throw neverEnds(circle);
            }
        }

        /** Publishes the wait of a supervisor, and makes another wait fail if this one completes a cycle. */
        void beginOfSupervisor() {
            for (Runner runner : runners) {
                runner.waitsFor(this); // StoreLoad fence: before the look
            }
            WaitCycles.breakWith(this);
        }

        /** Withdraws the wait. */
        void end() {
            for (Runner runner : runners) {
                runner.waitsNoMore();
            }
        }
    }

    /** The wait for a reply, by the calling thread; null if it is inside no actor. */
    static @Nullable Wait forReply(ActorState<?> target, Reply<?> reply, boolean limited) {
        return make(Kind.REPLY, target, reply, limited);
    }

    /** The wait for room in a mailbox, by the calling thread; null if it is inside no actor. */
    static @Nullable Wait forRoom(ActorState<?> target, boolean limited) {
        return make(Kind.ROOM, target, null, limited);
    }

    /**
     * The wait for the end of an actor, by the calling thread; null if it is inside no actor.
     *
     * @param exit what the thread waits by, and fails if another wait completes a cycle; null if the wait has a limit
     */
    static @Nullable Wait forExit(ActorState<?> target, @Nullable CompletableFuture<ActorExit> exit) {
        return make(Kind.EXIT, target, exit, exit == null);
    }

    /** The wait of a supervisor for a child; null if the calling thread is inside no actor. It does not end by its limit. */
    static @Nullable Wait ofSupervisor(Kind kind, ActorState<?> child) {
        return make(kind, child, null, false);
    }

    /** A wait without a thread. */
    static Wait held(Kind kind, ActorState<?> target) {
        return new Wait(kind, target, null, false, List.of());
    }

    /** The wait of a restarting actor for its children, which occupies no thread. */
    static Wait forChildren(List<ActorState<?>> children) {
        Wait wait = held(Kind.EXIT, children.getFirst());
        wait.children = children;
        return wait;
    }

    private static @Nullable Wait make(
            Kind kind, ActorState<?> target, @Nullable CompletableFuture<?> reply, boolean limited) {
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

    /** The wait of an actor, with or without a thread; null if it does not wait. */
    static @Nullable Wait of(ActorState<?> actor) {
        Runner r = actor.runner();
        if (r == null) {
            return withoutThread(actor);
        }
        Object wait = r.top().waitsFor();
        return wait != null && actor.runner() == r ? (Wait) wait : null;
    }

    private static @Nullable Wait withoutThread(ActorState<?> actor) {
        Lifecycle l = actor.lifecycleIfAny();
        Extras e = l == null ? null : l.extrasIfAny();
        return e == null ? null : e.heldWait();
    }

    /** After a wait without a thread has been published: makes another wait fail if this one completes a cycle. */
    static void lookFrom(ActorState<?> actor) {
        boolean done = false;
        while (!done) {
            try {
                Wait wait = withoutThread(actor);
                if (wait != null) {
                    WaitCycles.breakWith(wait);
                }
                done = true;
            } catch (OutOfMemoryError e) {
                OutOfMemory.pause(); // otherwise the cycle would stay
            }
        }
    }
}
