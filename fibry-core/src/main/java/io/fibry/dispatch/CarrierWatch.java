package io.fibry.dispatch;

import io.fibry.flight.CarrierEvent;
import io.fibry.flight.Flight;
import java.util.IdentityHashMap;

/**
 * Looks for handlers that keep a carrier thread for long, for a Flight Recorder event. Virtual threads are not preempted, so such
 * a handler keeps all others from that processor. By the thread of the {@link WorkerWatch}, at each tick.
 *
 * <p>A handler counts as one that keeps its carrier if each look finds it there, at work on the same message. A thread that waits
 * for a carrier, or is blocked, does not have one. A handler that blocks now and then, and happens to run at each look, is taken
 * for one that never does.
 *
 * <p>There may be a million blocked workers. So a look takes only some that it has not seen on a carrier before, and goes on with the
 * next ones at the next tick. Those that it has seen there are no more than there are carriers, and it looks at all of them.
 */
final class CarrierWatch {

    /** How many workers a look takes, beside those that it has seen on a carrier. */
    private static final int WORKERS_PER_LOOK = 1_000;

    private static final int MAX_FRAMES = 64;

    private final IdentityHashMap<Worker, Sighting> seen = new IdentityHashMap<>();

    /** A worker on a carrier, since the first look that has found it there with this message. */
    private static final class Sighting {
        final Schedulable actor;
        final long handled;
        final CarrierEvent event;
        private final long since = System.nanoTime();
        private long nextReport;

        Sighting(Schedulable actor, CarrierEvent event) {
            this.actor = actor;
            handled = actor.handled();
            this.event = event;
        }

        boolean isStillTrue(Worker worker) {
            return worker.actorAtWork() == actor && actor.handled() == handled;
        }

        /** Reports, and again when the time has doubled: a handler may never return. */
        void reportIfLong(Worker worker, String carrier) {
            long held = System.nanoTime() - since;
            if (held < nextReport || !event.isLong()) {
                return;
            }
            String stack = text(worker.stack());
            if (isStillTrue(worker)) { // else it may be the stack of another handler
                nextReport = 2 * held;
                event.report(actor, carrier, stack);
            }
        }
    }

    /** Looks again at the workers that were seen on a carrier. Returns whether to look at others. Throws nothing, as the next. */
    boolean lookAgain() {
        try {
            if (Flight.isOn() && CarrierEvent.isWanted()) {
                seen.entrySet().removeIf(entry -> !isStillHeld(entry.getKey(), entry.getValue()));
                return true;
            }
            seen.clear();
        } catch (Throwable t) { // the heap is full, or a label's toString throws: the thread has more important work
            seen.clear();
        }
        return false;
    }

    /** Looks at workers of this scheduler. */
    void look(WorkerScheduler scheduler) {
        try {
            for (Worker worker : scheduler.someWorkers(WORKERS_PER_LOOK)) {
                if (!seen.containsKey(worker)) {
                    lookAt(worker);
                }
            }
        } catch (Throwable t) {
            seen.clear(); // as above
        }
    }

    private void lookAt(Worker worker) {
        Schedulable actor = worker.actorAtWork();
        if (actor != null && worker.carrier() != null) {
            seen.put(worker, new Sighting(actor, CarrierEvent.started()));
        }
    }

    private static boolean isStillHeld(Worker worker, Sighting sighting) {
        String carrier = sighting.isStillTrue(worker) ? worker.carrier() : null;
        if (carrier == null) {
            return false;
        }
        sighting.reportIfLong(worker, carrier);
        return true;
    }

    private static String text(StackTraceElement[] stack) {
        var text = new StringBuilder();
        for (int i = 0; i < stack.length && i < MAX_FRAMES; i++) {
            if (i > 0) {
                text.append('\n');
            }
            text.append(stack[i]);
        }
        return text.toString();
    }
}
