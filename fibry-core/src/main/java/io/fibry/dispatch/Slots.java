package io.fibry.dispatch;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a scheduler, with an adaptive policy for the actors in them.
 *
 * <p>There are few slots, since every search scans all of them. A worker whose handler blocks for long would keep its
 * slot from the busy workers. A slot is therefore taken over if its owner has not run a turn since the last search.
 *
 * <p><b>Whether an actor in a slot needs a spare</b> depends on the handler that made it ready. Most handlers end soon,
 * and their worker continues with the actor in its slot. A spare then comes too late, and only costs time. But the
 * handler may block, or take long. The slots are <em>eager</em> at first: an actor in a slot gets a spare. After a
 * number of consecutive spares that found no actor, they are <em>lazy</em>: an actor gets none. From then on the
 * {@link WorkerWatch} checks the slots. If it finds an actor that was already there at its last check, it requests a
 * spare, and the slots are eager again, for longer than before. Go's scheduler is similar: its {@code sysmon} retakes
 * the processors of blocked threads.
 *
 * <p>A thread that is about to wait in the kernel itself, for a reply or for an end, first releases its slot, and so
 * does a worker that ends.
 *
 * <p><b>No actor stays in a lazy slot.</b> The watch checks the slots of every scheduler that has workers. It knows a
 * worker from before its first turn until after it has left its slot. An actor may be put into the slot of a worker
 * that has lost it to another one, and both may then end. The watch therefore also keeps a scheduler until its slots
 * are empty. If a slot has an actor at two checks with the same number of {@code puts}, it is the same actor; that
 * number may be stale, which only delays the detection by one check. The watch makes the slots eager <em>before</em> it
 * ensures a spare. Either the spare flag is clear and the watch starts a spare, or the holder that clears the flag
 * later sees the slots eager and finds the actor.
 */
final class Slots {

    private static final int PER_PROCESSOR = 2;

    private static final int LEAST_PATIENCE = 1 << 4;
    private static final int MOST_PATIENCE = 1 << 16;

    /** The number of consecutive checks without a stuck actor after which the patience decreases. */
    private static final int LOOKS_TO_FORGET = 1 << 10;

    private final Slot[] slots;
    private final boolean watched;
    private volatile boolean eager = true;

    /** The number of consecutive spares that may find no actor. Written only by the watch, a hint for spares. */
    private volatile int patience = LEAST_PATIENCE;

    private int looks; // of the watch
    private int fruitless; // guarded by the spare flag

    /** @param watched whether the {@link WorkerWatch} checks the slots; otherwise they stay eager */
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
    void forEach(Consumer<? super ScheduledActor> action) {
        for (Slot slot : slots) {
            ScheduledActor actor = slot.peek();
            if (actor != null) {
                action.accept(actor);
            }
        }
    }

    /** Claims a slot for this worker; null if all of them are in use. */
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

    /** Begins a search for actors that their workers do not take soon. */
    void beginSearch() {
        for (Slot slot : slots) {
            slot.note();
        }
    }

    /** Takes an actor that has been in its slot since {@link #beginSearch}; null if there is none. */
    @Nullable
    ScheduledActor takeWaiting() {
        for (Slot slot : slots) {
            if (slot.isAsNoted()) {
                ScheduledActor found = slot.take();
                if (found != null) {
                    fruitless = 0;
                    return found;
                }
            }
        }
        return null;
    }

    /** Called when a spare has found no actor, in the slots or elsewhere. */
    void searchedInVain() {
        if (eager && watched && ++fruitless >= patience) {
            fruitless = 0;
            eager = false;
        }
    }

    // ---- for the thread of the WorkerWatch

    /** Whether an actor has been in a lazy slot since the last check. */
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
