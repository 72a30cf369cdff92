package io.fibry.dispatch;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a scheduler, and what it has learned about the actors in them.
 *
 * <p>There are few slots, since every look scans all of them. A worker whose handler blocks for long would keep its slot from the
 * busy workers. So a slot is taken over if its owner has not run a turn since the last look.
 *
 * <p><b>Whether an actor in a slot needs a spare</b> depends on the handler that made it ready. Most handlers end soon, and their
 * worker goes on with the actor in its slot. A spare is too late then: it costs time, and disturbs. But the handler may block, or
 * take long. So the slots are <em>eager</em> at first: an actor in a slot gets a spare. After some spares in a row that found
 * nothing they are <em>lazy</em>: it gets none. From then on the {@link WorkerWatch} looks at the slots. If it finds an actor
 * there that was there at its last look, it sends for a spare, and the slots are eager again, for longer than before. As Go's
 * scheduler, whose {@code sysmon} takes back processors of blocked threads.
 *
 * <p>A thread that is about to wait in the kernel itself, for a reply or for an end, first gives its slot up. So does a worker
 * that ends.
 *
 * <p><b>No actor stays in a lazy slot.</b> The watch looks at the slots of every scheduler that has workers. A worker is known to
 * it before its first turn, and until after it has left its slot. An actor may get into the slot of a worker that has lost it to
 * another one, and both may end then. So the watch keeps a scheduler until its slots are empty, too. An actor that is in its slot
 * at two looks with the same number of {@code puts} is the same one; that number may be stale, which only delays the find by a
 * look. The watch makes the slots eager <em>before</em> it ensures a spare. So the spare flag is set, or the holder that clears it
 * later sees them eager and finds the actor.
 */
final class Slots {

    private static final int PER_PROCESSOR = 2;

    private static final int LEAST_PATIENCE = 1 << 4;
    private static final int MOST_PATIENCE = 1 << 16;

    /** After this number of looks that find no stuck actor, the patience decreases. */
    private static final int LOOKS_TO_FORGET = 1 << 10;

    private final Slot[] slots;
    private final boolean watched;
    private volatile boolean eager = true;

    /** How many spares in a row may find nothing. Written by the watch only, a hint for spares. */
    private volatile int patience = LEAST_PATIENCE;

    private int looks; // of the watch
    private int fruitless; // guarded by the spare flag

    /**
     * @param watched whether the {@link WorkerWatch} looks at the slots; if not they stay eager
     */
    Slots(int processors, boolean watched) {
        this.watched = watched;
        slots = new Slot[processors * PER_PROCESSOR];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = new Slot();
        }
    }

    /** Whether an actor in a slot gets a spare. */
    boolean areEager() {
        return eager;
    }

    boolean haveWorkForSpare() {
        return eager && !areEmpty();
    }

    boolean areEmpty() {
        for (Slot slot : slots) {
            if (!slot.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Passes the actors in the slots to the action. */
    void forEach(Consumer<? super Schedulable> action) {
        for (Slot slot : slots) {
            Schedulable actor = slot.peek();
            if (actor != null) {
                action.accept(actor);
            }
        }
    }

    /** A slot for this worker, or null if all of them are in use. */
    @Nullable
    Slot claim(Worker worker) {
        for (Slot slot : slots) {
            if (slot.claimFree(worker)) {
                return slot;
            }
        }
        for (Slot slot : slots) {
            if (slot.claimStuck(worker)) {
                return slot;
            }
        }
        return null;
    }

    // ---- for the spare

    /** Begins a search for actors whose workers do not take them soon. */
    void beginSearch() {
        for (Slot slot : slots) {
            slot.note();
        }
    }

    /** Takes an actor that has been in its slot since {@link #beginSearch}; null if there is none. */
    @Nullable
    Schedulable takeWaiting() {
        for (Slot slot : slots) {
            if (slot.isAsNoted()) {
                Schedulable found = slot.take();
                if (found != null) {
                    fruitless = 0;
                    return found;
                }
            }
        }
        return null;
    }

    /** A spare has found nothing, in the slots or elsewhere. */
    void searchedInVain() {
        if (eager && watched && ++fruitless >= patience) {
            fruitless = 0;
            eager = false;
        }
    }

    // ---- for the WorkerWatch, by its thread

    /** Whether an actor has been in its slot since the last look, and no spare is on its way to it. */
    boolean isOneStuck() {
        if (eager) {
            return false;
        }
        boolean stuck = false;
        for (Slot slot : slots) {
            stuck |= slot.isAsWatched();
        }
        if (stuck) {
            looks = 0;
            patience = Math.min(MOST_PATIENCE, patience * 4);
            eager = true;
        } else if (++looks == LOOKS_TO_FORGET) {
            looks = 0;
            patience = Math.max(LEAST_PATIENCE, patience / 4);
        }
        return stuck;
    }
}
