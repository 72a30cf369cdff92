package io.fibry.dispatch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A slot for one ready actor, the next one of the worker that owns the slot. Any worker may take the actor. Ownership
 * is only a hint where to put actors: no actor is lost if two workers consider themselves the owner.
 */
@SuppressWarnings("unused") // the padding
final class Slot {

    private static final VarHandle NEXT;
    private static final VarHandle OWNER;

    static {
        try {
            var lookup = MethodHandles.lookup();
            NEXT = lookup.findVarHandle(Slot.class, "next", ScheduledActor.class);
            OWNER = lookup.findVarHandle(Slot.class, "owner", Worker.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        link();
    }

    private volatile @Nullable ScheduledActor next;
    private volatile @Nullable Worker owner;

    // The number of turns of the owner, and its value when a worker last searched for a slot. Hints: plain fields,
    // since races are harmless.
    private int turns;
    private int turnsSeen;

    // The number of actors that were put here, and its value when the spare and the watch last saw an actor. Also
    // hints: if the number is the same, it is the same actor.
    private int puts;
    private int noted;
    private int watched;

    // Padding: slots are allocated one after the other, and two of them should not share a cache line.
    private long p0, p1, p2, p3, p4, p5, p6;

    /** Executes the access to each variable once. The first execution needs memory, which may be exhausted later. */
    @SuppressWarnings("NullAway") // the slot gets no worker and no actor
    private static void link() {
        var slot = new Slot();
        slot.exchange(null);
        boolean unused = slot.take(null);
        unused = slot.claimFree(null);
        unused = slot.claimStuck(null);
        slot.release(null);
    }

    boolean isEmpty() {
        return next == null;
    }

    /** Puts an actor here and returns the previous one, or null. The caller shares the previous one. */
    @Nullable
    ScheduledActor put(ScheduledActor actor) {
        puts++;
        return exchange(actor);
    }

    private @Nullable ScheduledActor exchange(@Nullable ScheduledActor actor) {
        return (ScheduledActor) NEXT.getAndSet(this, actor);
    }

    /** Records the current actor. Called by the spare. */
    void note() {
        noted = isEmpty() ? puts - 1 : puts;
    }

    /** Whether the current actor is the one recorded by {@link #note}. */
    boolean isAsNoted() {
        return !isEmpty() && puts == noted;
    }

    /** Whether the current actor is the one seen by the last call. Called by the {@link WorkerWatch}. */
    boolean isAsWatched() {
        boolean same = !isEmpty() && puts == watched;
        watched = isEmpty() ? puts - 1 : puts;
        return same;
    }

    /** Returns the current actor without removing it. */
    @Nullable
    ScheduledActor peek() {
        return next;
    }

    @Nullable
    ScheduledActor take() {
        return next == null ? null : exchange(null);
    }

    /** Takes this actor if it is here. */
    boolean take(ScheduledActor actor) {
        return next == actor && NEXT.compareAndSet(this, actor, null);
    }

    boolean isOwnedBy(Worker worker) {
        return owner == worker;
    }

    void countTurn() {
        turns++;
    }

    boolean claimFree(Worker worker) {
        return owner == null && OWNER.compareAndSet(this, null, worker);
    }

    /** Takes over the slot if its owner has not run a turn since the last attempt. */
    boolean claimStuck(Worker worker) {
        Worker current = owner;
        int now = turns;
        boolean stuck = now == turnsSeen;
        turnsSeen = now;
        return stuck && OWNER.compareAndSet(this, current, worker);
    }

    void release(Worker worker) {
        OWNER.compareAndSet(this, worker, null);
    }
}
