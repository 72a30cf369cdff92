package io.fibry.kernel;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Estimates how long messages have been waiting, without timestamps, which would make each {@code tell} slower. Each
 * sample marks the newest message of each mailbox. A marked message that is still waiting at a later sample has been
 * waiting for at least the time in between. An age is therefore never too high, and too low by at most the time between
 * two samples, if the mailbox has few enough marks; see {@link #thin}.
 *
 * <p>A sample visits the messages of at most {@value #ACTORS} actors that have any; actors of the previous sample come
 * first, so the longest waiting messages stay included. The references to actors and messages are weak, because there
 * may be no further sample. While an actor runs, a sample may miss a message that the actor is taking from the mailbox;
 * the message then loses its mark, and the age is too low.
 */
final class MessageAges {

    static final int ACTORS = 1_000;
    private static final int MARKS = 8;

    /** A message that was waiting at a time. */
    private record Mark(WeakReference<Envelope> message, long nanos) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final LongSupplier clock;

    /** The marks of each actor, oldest first. Guarded by the lock. */
    private final Map<ActorState<?>, Deque<Mark>> marks = new WeakHashMap<>();

    MessageAges(LongSupplier clock) {
        this.clock = clock;
    }

    /** Returns the known age in nanoseconds of the oldest message of each of these actors. */
    Map<ActorState<?>, Long> look(Set<ActorState<?>> withMessages) {
        Map<ActorState<?>, Long> ages = new HashMap<>();
        lock.lock();
        try {
            marks.keySet().retainAll(withMessages);
            for (ActorState<?> actor : withMessages) {
                Deque<Mark> own = marks.get(actor);
                if (own == null && marks.size() < ACTORS) {
                    own = new ArrayDeque<>();
                    marks.put(actor, own);
                }
                if (own != null) {
                    ages.put(actor, age(actor, own));
                }
            }
        } finally {
            lock.unlock();
        }
        return ages;
    }

    private long age(ActorState<?> actor, Deque<Mark> own) {
        Set<Envelope> marked = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Mark mark : own) {
            Envelope message = mark.message.get();
            if (message != null) {
                marked.add(message);
            }
        }
        Set<Envelope> stillWaiting = Collections.newSetFromMap(new IdentityHashMap<>());
        long now = clock.getAsLong();
        Envelope newest = actor.progress().findWaiting(marked, stillWaiting);
        own.removeIf(mark -> !stillWaiting.contains(mark.message.get()));
        if (newest != null && !stillWaiting.contains(newest)) {
            own.addLast(new Mark(new WeakReference<>(newest), clock.getAsLong()));
            thin(own);
        }
        return own.isEmpty() ? 0 : Math.max(0, now - own.getFirst().nanos);
    }

    /**
     * Removes every second mark if there are too many; the first and the last stay. The resolution of the age is the
     * distance of the marks.
     */
    private static void thin(Deque<Mark> own) {
        if (own.size() > MARKS) {
            int[] index = new int[1];
            own.removeIf(mark -> index[0]++ % 2 == 1);
        }
    }
}
