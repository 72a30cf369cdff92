package io.fibry.dispatch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A place for one ready actor, the next one of the worker that owns the slot. Everybody may take it. To own a slot is only a
 * hint about where to put things: nothing is lost when two workers take themselves for the owner.
 */
@SuppressWarnings("unused") // the padding
final class Slot {

    private static final VarHandle NEXT;
    private static final VarHandle OWNER;

    static {
        try {
            var lookup = MethodHandles.lookup();
            NEXT = lookup.findVarHandle(Slot.class, "next", Schedulable.class);
            OWNER = lookup.findVarHandle(Slot.class, "owner", Worker.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Schedulable next;
    private volatile @Nullable Worker owner;

    // A count of the owner's turns, and what it was when somebody last looked for a slot. Hints: plain, races do no
    // harm.
    private int turns;
    private int turnsSeen;

    // Slots are allocated one after the other; this keeps two of them off one cache line.
    private long p0, p1, p2, p3, p4, p5, p6, p7;

    boolean isEmpty() {
        return next == null;
    }

    /** Puts an actor here; the one that was here comes back, for the caller to share. */
    @Nullable
    Schedulable put(Schedulable actor) {
        return (Schedulable) NEXT.getAndSet(this, actor);
    }

    @Nullable
    Schedulable take() {
        return next == null ? null : (Schedulable) NEXT.getAndSet(this, null);
    }

    /** Takes this actor if it is here. */
    boolean take(Schedulable actor) {
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

    /** Takes over the slot if its owner has not had a turn since this was last tried. */
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
