package io.fibry.dispatch;

import io.fibry.flight.CarrierEvent;
import io.fibry.flight.Flight;
import java.util.IdentityHashMap;

/**
 * Detects handlers that occupy a carrier thread for long, for a Flight Recorder event. Virtual threads are not
 * preempted, so such a handler keeps all others from that processor. Called by the thread of the {@link WorkerWatch},
 * at each tick.
 *
 * <p>A handler is considered to occupy its carrier if each sample finds it mounted, handling the same message. A thread
 * that waits for a carrier, or is blocked, is not mounted. A handler that blocks occasionally, and happens to run at
 * each sample, is a false positive.
 *
 * <p>There may be a million blocked workers. A sample therefore takes only some of the workers that have not been seen
 * on a carrier before, and continues with the next ones at the next tick. It takes all workers that have been seen on a
 * carrier, since there are no more of them than carriers.
 */
final class CarrierWatch {

    /** The number of workers in a sample, in addition to the ones seen on a carrier. */
    private static final int WORKERS_PER_LOOK = 1_000;

    private static final int MAX_FRAMES = 64;

    private final IdentityHashMap<Worker, Sighting> seen = new IdentityHashMap<>();

    /** A worker that has been on a carrier with the same message since the first sample that found it there. */
    private static final class Sighting {
        final ScheduledActor actor;
        final long handled;
        private final long since = System.nanoTime();
        private final CarrierEvent event = CarrierEvent.started();
        private long nextReport;

        Sighting(ScheduledActor actor) {
            this.actor = actor;
            handled = actor.handled();
        }

        boolean isStillTrue(Worker worker) {
            return worker.currentActor() == actor && actor.handled() == handled;
        }

        /** Reports a long sighting, and again when its time has doubled: a handler may never return. */
        void reportIfLong(Worker worker, String carrier) {
            if (held() < nextReport || !event.isLong()) {
                return;
            }
            long held = held(); // after the end of the event, so its duration doubles, too
            String stack = text(worker.stack());
            if (isStillTrue(worker)) { // otherwise the stack may be that of another handler
                nextReport = 2 * held;
                event.report(actor, carrier, stack);
            }
        }

        private long held() {
            return System.nanoTime() - since;
        }
    }

    /**
     * Samples the workers seen on a carrier again. Returns whether to sample others. Throws nothing, like the next
     * method.
     */
    boolean lookAgain() {
        try {
            if (Flight.isOn() && CarrierEvent.isWanted()) {
                seen.entrySet().removeIf(entry -> !isStillHeld(entry.getKey(), entry.getValue()));
                return true;
            }
            seen.clear();
        } catch (Throwable t) { // memory is exhausted, or a label's toString throws: the thread has more important work
            seen.clear();
        }
        return false;
    }

    /** Samples workers of this scheduler. */
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
        ScheduledActor actor = worker.currentActor();
        if (actor != null && worker.carrier() != null) {
            seen.put(worker, new Sighting(actor));
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
