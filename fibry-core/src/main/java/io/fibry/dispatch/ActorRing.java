package io.fibry.dispatch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A bounded FIFO queue of actors. Any thread may take the first one. One thread at a time appends: a second one that
 * attempts it meanwhile is refused, as if the ring were full. Nothing blocks, and nothing is allocated.
 *
 * <p>The actors are in the places from {@code head} to {@code tail - 1}, modulo the capacity.
 *
 * <p><b>Each actor is taken once.</b> The thread that appends writes the place, and then {@code tail}. A taker reads
 * {@code head}, {@code tail} and the place, and then increments {@code head} by a compare-and-set. If that succeeds,
 * {@code head} has not changed since it was read, so no other thread has taken the actor. The place has not been
 * written since either: an actor is written only to a place that is null, and only the thread that took its actor sets
 * it to null, once. For the same reason, that write cannot remove a later actor.
 *
 * <p><b>Memory order.</b> All accesses to {@code head} and {@code tail} are volatile. If one thread appends an actor
 * and then reads another volatile variable, and a second thread writes that variable and then checks the queue, at
 * least one of the two sees the write of the other.
 */
@SuppressWarnings("unused") // the padding
class ActorRing {

    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(ScheduledActor[].class);
    private static final VarHandle HEAD;
    private static final VarHandle APPENDING;

    static {
        try {
            var lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(ActorRing.class, "head", long.class);
            APPENDING = lookup.findVarHandle(ActorRing.class, "appending", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        link();
    }

    private final @Nullable ScheduledActor[] places;

    // Padding, here and below: searches often read the head and the tail, and no other field that changes more often
    // should be in their cache line. HotSpot arranges the long fields of a class in their order.
    private long p0, p1, p2, p3, p4, p5, p6;

    /** The number of actors that have been taken. */
    private volatile long head;

    /** The number of actors that have been appended. Written by the thread that has set {@link #appending}. */
    private volatile long tail;

    private long q0, q1, q2, q3, q4, q5, q6;

    private volatile boolean appending;

    /** @param capacity a power of two */
    ActorRing(int capacity) {
        places = new ScheduledActor[capacity];
    }

    /** Executes the access to each variable once. The first execution needs memory, which may be exhausted later. */
    @SuppressWarnings("NullAway") // appends no actor
    private static void link() {
        var ring = new ActorRing(1);
        boolean unused = ring.append(null);
        ring.poll();
    }

    /**
     * Appends an actor. Returns false if the ring is full, if another thread is appending, or if a thread has taken the
     * actor of the next place and has yet to clear it.
     */
    final boolean append(ScheduledActor actor) {
        if (!APPENDING.compareAndSet(this, false, true)) {
            return false;
        }
        long t = tail;
        int place = place(t);
        boolean hasRoom = PLACE.getAcquire(places, place) == null;
        if (hasRoom) {
            PLACE.setRelease(places, place, actor);
            tail = t + 1;
        }
        APPENDING.setRelease(this, false);
        return hasRoom;
    }

    /** Takes the first actor; null if there is none. */
    @Nullable
    final ScheduledActor poll() {
        while (true) {
            long h = head;
            if (h == tail) {
                return null;
            }
            int place = place(h);
            var actor = (ScheduledActor) PLACE.getAcquire(places, place);
            if (HEAD.compareAndSet(this, h, h + 1)) {
                PLACE.setRelease(places, place, null);
                return actor;
            }
        }
    }

    /** Whether there is a queued actor. It may return true while the last one is being taken. */
    final boolean hasQueued() {
        return head != tail;
    }

    /** Passes the actors to the action. A snapshot: one that is taken meanwhile may be missing, or be passed twice. */
    void forEach(Consumer<? super ScheduledActor> action) {
        for (long i = head, end = tail; i < end; i++) {
            var actor = (ScheduledActor) PLACE.getAcquire(places, place(i));
            if (actor != null) {
                action.accept(actor);
            }
        }
    }

    private int place(long position) {
        return (int) position & (places.length - 1);
    }
}
