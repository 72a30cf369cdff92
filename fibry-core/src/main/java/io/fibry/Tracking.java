package io.fibry;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The actors that a system need not know, for dumps: by weak references, so that they are garbage as before. In arrays, because a
 * place there takes four bytes; a weak reference takes 32.
 *
 * <p>A full array is cleared of what has been collected or has ended, and grows if more than half is left. So each actor costs a
 * constant time, and the array is at most four times as long as what is alive.
 */
final class Tracking {

    private static final int STRIPES = 16;
    private static final int FIRST_SIZE = 64;

    private final Stripe[] stripes = new Stripe[STRIPES];

    Tracking() {
        Arrays.setAll(stripes, i -> new Stripe());
    }

    /** Adds an actor that nobody else knows yet. */
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

    /** A part of the actors: those of some threads, so that threads that make actors hardly wait for each other. */
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
