package io.fibry.dispatch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The ready actors of one worker: its <em>next</em> actor, which is the one that it made ready last, and a ring of
 * <em>queued</em> actors, which are those before it and those with messages left after their turn. Any worker may take
 * an actor from here. Ownership is only a hint where to put actors: no actor is lost if two workers consider themselves
 * the owner.
 *
 * <p>The ring is the superclass, rather than another object: a search for queued actors reads its fields, and it would
 * read the reference to that object in the cache line of the next actor, which the owner often changes.
 */
final class RunQueue extends ActorRing {

    /** As in Go's scheduler. */
    private static final int CAPACITY = 1 << 8;

    private static final VarHandle NEXT;
    private static final VarHandle OWNER;

    static {
        try {
            var lookup = MethodHandles.lookup();
            NEXT = lookup.findVarHandle(RunQueue.class, "next", ScheduledActor.class);
            OWNER = lookup.findVarHandle(RunQueue.class, "owner", Worker.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        link();
    }

    private volatile @Nullable ScheduledActor next;
    private volatile @Nullable Worker owner;

    // The number of turns of the owner, and its value when a worker last searched for a run queue. Hints: plain fields,
    // since races are harmless.
    private int turns;
    private int turnsSeen;

    // The number of actors that became the next one, and its value when the spare and the watch last saw one. Also
    // hints: if the number is the same, it is the same actor.
    private int puts;
    private int noted;
    private int watched;

    RunQueue() {
        super(CAPACITY);
    }

    /** Executes the access to each variable once. The first execution needs memory, which may be exhausted later. */
    @SuppressWarnings("NullAway") // the run queue gets no worker and no actor
    private static void link() {
        var unowned = new RunQueue();
        unowned.exchangeNext(null);
        boolean unused = unowned.takeNext(null);
        unused = unowned.claimFree(null);
        unused = unowned.claimStuck(null);
        unowned.release(null);
    }

    // ---- the next actor

    /** Makes an actor the next one. Returns the previous one, or null. The caller appends the previous one. */
    @Nullable
    ScheduledActor putNext(ScheduledActor actor) {
        puts++;
        return exchangeNext(actor);
    }

    private @Nullable ScheduledActor exchangeNext(@Nullable ScheduledActor actor) {
        return (ScheduledActor) NEXT.getAndSet(this, actor);
    }

    boolean hasNext() {
        return next != null;
    }

    @Nullable
    ScheduledActor takeNext() {
        return next == null ? null : exchangeNext(null);
    }

    /** Takes this actor if it is the next one. */
    boolean takeNext(ScheduledActor actor) {
        return next == actor && NEXT.compareAndSet(this, actor, null);
    }

    /** Records the next actor. Called by the spare. */
    void note() {
        noted = hasNext() ? puts : puts - 1;
    }

    /** Whether the next actor is the one recorded by {@link #note}. */
    boolean isAsNoted() {
        return hasNext() && puts == noted;
    }

    /** Whether the next actor is the one seen by the last call. Called by the {@link WorkerWatch}. */
    boolean isAsWatched() {
        boolean same = hasNext() && puts == watched;
        watched = hasNext() ? puts : puts - 1;
        return same;
    }

    // ---- all actors

    boolean isEmpty() {
        return !hasNext() && !hasQueued();
    }

    @Override
    void forEach(Consumer<? super ScheduledActor> action) {
        ScheduledActor actor = next;
        if (actor != null) {
            action.accept(actor);
        }
        super.forEach(action);
    }

    // ---- the owner

    boolean isOwnedBy(Worker worker) {
        return owner == worker;
    }

    void countTurn() {
        turns++;
    }

    boolean claimFree(Worker worker) {
        return owner == null && OWNER.compareAndSet(this, null, worker);
    }

    /** Takes over the run queue if its owner has not run a turn since the last attempt. */
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
