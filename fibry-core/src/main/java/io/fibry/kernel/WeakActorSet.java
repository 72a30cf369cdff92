package io.fibry.kernel;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The actors that a system does not otherwise know, for dumps. Weak references do not prevent their garbage collection.
 * They are kept in arrays, since an array element takes only four bytes; a weak reference takes 32.
 *
 * <p>A full array is cleared of actors that have been collected or have ended, and grows if more than half of it is
 * left. Adding an actor therefore takes amortized constant time, and the array is at most four times as long as the
 * number of living actors.
 */
final class WeakActorSet {

    private static final int STRIPES = 16;
    private static final int FIRST_SIZE = 64;

    private final Stripe[] stripes = new Stripe[STRIPES];

    WeakActorSet() {
        Arrays.setAll(stripes, i -> new Stripe());
    }

    /** Adds an actor that has not been published. */
    void add(ActorState<?> actor) {
        stripes[(int) Thread.currentThread().threadId() & (STRIPES - 1)].add(new WeakReference<>(actor));
    }

    /** Passes the living actors to the action, outside all locks. */
    void forEach(Consumer<ActorState<?>> action) {
        for (Stripe stripe : stripes) {
            for (WeakReference<ActorState<?>> reference : stripe.all()) {
                ActorState<?> actor = reference == null ? null : reference.get();
                if (actor != null && !actor.hasEnded()) {
                    action.accept(actor);
                }
            }
        }
    }

    /** The actors made by some of the threads. Stripes reduce contention among threads that make actors. */
    private static final class Stripe {
        private final ReentrantLock lock = new ReentrantLock();
        private @Nullable WeakReference<ActorState<?>>[] references = newArray(FIRST_SIZE); // guarded by the lock
        private int size;

        void add(WeakReference<ActorState<?>> reference) {
            lock.lock();
            try {
                if (size == references.length) {
                    makeRoom();
                }
                references[size++] = reference;
            } finally {
                lock.unlock();
            }
        }

        private void makeRoom() {
            int kept = 0;
            for (WeakReference<ActorState<?>> reference : references) {
                ActorState<?> actor = reference == null ? null : reference.get();
                if (actor != null && !actor.hasEnded()) {
                    references[kept++] = reference;
                }
            }
            int length = references.length;
            Arrays.fill(references, kept, length, null);
            size = kept;
            if (kept > length / 2) {
                references = Arrays.copyOf(references, 2 * length);
            } else if (kept < length / 8 && length > FIRST_SIZE) {
                references = Arrays.copyOf(references, length / 2);
            }
        }

        @Nullable
        WeakReference<ActorState<?>>[] all() {
            lock.lock();
            try {
                return Arrays.copyOf(references, size);
            } finally {
                lock.unlock();
            }
        }

        @SuppressWarnings({"unchecked", "rawtypes"})
        private static @Nullable WeakReference<ActorState<?>>[] newArray(int length) {
            return new WeakReference[length];
        }
    }
}
