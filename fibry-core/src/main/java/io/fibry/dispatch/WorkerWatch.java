package io.fibry.dispatch;

import io.fibry.flight.Flight;
import io.fibry.flight.TimedEvents;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The platform thread, one for the JVM, that watches the workers of all systems. It has the tasks that workers cannot
 * perform:
 *
 * <ul>
 *   <li>It measures time. Virtual threads are not preempted, so a worker has to yield to the other virtual threads of
 *       the program. Reading the clock after each message would be too expensive. This thread therefore counts
 *       {@link #ticks}, and a worker compares two numbers, similar to Go's {@code sysmon}.
 *   <li>It starts spares that could not be started when they were needed, because memory or threads had run out. The
 *       thread that needed one may be the one that retains the memory, so it must not wait.
 *   <li>It names the threads of long turns after their actors, for thread dumps.
 *   <li>It starts the spares that take over from workers whose slice is over. A virtual thread that is started or
 *       unparked by another virtual thread often stays on the same carrier thread, ahead of threads that wait in other
 *       queues. A virtual thread started by this thread does not.
 *   <li>It ends the {@linkplain KeptWorker kept workers} of idle systems.
 * </ul>
 *
 * <p>While Flight Recorder is recording, it also times the events of messages, see {@link TimedEvents}, and detects
 * handlers that occupy a carrier thread, see {@link CarrierWatch}.
 *
 * <p>It is parked while no system has workers.
 *
 * <p><b>No scheduler is forgotten.</b> Schedulers that have to be watched form a stack, linked by
 * {@link WorkerScheduler#nextWatched}, which needs no allocation. A scheduler is pushed by the thread that sets its
 * {@code watched} from false to true. This thread moves it to a list of its own. To drop it from there, this thread
 * clears {@code watched}, <em>then</em> checks once more whether there are workers or a spare is needed. A worker or a
 * need is visible before {@code watched} is read. Either the check finds it, or that read finds {@code watched} clear
 * and pushes the scheduler again. The need of a spare is flagged before this thread is unparked, and this thread reads
 * the flags before it parks.
 */
final class WorkerWatch implements Runnable {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private static final long TICK_NANOS = Duration.ofMillis(5).toNanos();

    /** The time between two checks while a next actor may be stuck, or events of messages are recorded. */
    private static final long LOOK_NANOS = Duration.ofMillis(1).toNanos();

    /** The number of ticks without workers before a scheduler is dropped. Systems are often idle only briefly. */
    private static final int IDLE_TICKS = 20;

    /** The number of ticks between two checks for long turns. */
    private static final int NAMING_TICKS = 20;

    /** The number of workers in a check for long turns; the next check continues with the next ones. */
    private static final int MAX_NAMED = 1_000;

    private static final VarHandle PUSHED;

    static {
        try {
            PUSHED = MethodHandles.lookup().findStaticVarHandle(WorkerWatch.class, "pushed", WorkerScheduler.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The number of ticks. Advances while there are workers. Written only by the watching thread. */
    private static volatile int ticks;

    /** The milliseconds of {@link System#nanoTime}, as of the last tick. Valid while there are workers. */
    private static volatile int millis;

    /** The stack of schedulers that the watching thread has yet to take over. */
    private static volatile @Nullable WorkerScheduler pushed;

    private static final Thread THREAD = Thread.ofPlatform()
            .name("fibry-watch")
            .daemon()
            .inheritInheritableThreadLocals(false)
            .unstarted(new WorkerWatch());

    static {
        THREAD.start();
    }

    /** The list of schedulers that this thread watches. Confined to it. */
    private @Nullable WorkerScheduler first;

    private final CarrierWatch carriers = new CarrierWatch();

    private long lastTick = System.nanoTime();
    private int time;

    private WorkerWatch() {}

    /** Starts the thread, and loads the classes that it needs, while there is memory for them. */
    static void prepare() {
        LockSupport.unpark(THREAD);
    }

    static int ticks() {
        return ticks;
    }

    /** The time in milliseconds as of the last tick: for a worker, which must not read the clock for each turn. */
    static int millis() {
        return millis;
    }

    static int exactMillis() {
        return (int) (System.nanoTime() / NANOS_PER_MILLI);
    }

    /** Watches a scheduler that has been marked as watched. Any thread. Allocates nothing. */
    static void watch(WorkerScheduler scheduler) {
        millis = exactMillis(); // the last tick may have been long ago
        WorkerScheduler before;
        do {
            before = pushed;
            scheduler.nextWatched = before;
        } while (!PUSHED.compareAndSet(before, scheduler));
        LockSupport.unpark(THREAD);
    }

    /** Makes the thread check the schedulers at once. */
    static void lookAtOnce() {
        LockSupport.unpark(THREAD);
    }

    @Override
    public void run() {
        while (true) {
            try {
                lookAndWait();
            } catch (Throwable t) { // usually an OutOfMemoryError
                OutOfMemory.pause();
            }
        }
    }

    private void lookAndWait() {
        takeOver();
        WorkerScheduler before = null;
        WorkerScheduler scheduler = first;
        boolean tick = isTickDue();
        boolean naming = tick && time % NAMING_TICKS == 0;
        boolean looksAtCarriers = tick && carriers.lookAgain();
        long pause = timesEvents() ? LOOK_NANOS : TICK_NANOS;
        while (scheduler != null) {
            WorkerScheduler next = scheduler.nextWatched;
            scheduler.startSpareIfNeeded();
            if (naming) {
                nameLongTurns(scheduler);
            }
            if (looksAtCarriers) {
                carriers.look(scheduler);
            }
            if (tick && scheduler.idleTicks() > IDLE_TICKS && isDropped(scheduler)) {
                unlink(before, next);
            } else {
                before = scheduler;
                if (scheduler.hasToBeWatchedClosely()) {
                    pause = LOOK_NANOS;
                }
            }
            scheduler = next;
        }
        if (first == null) {
            timesNoEvents();
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, pause);
        }
    }

    /** Begins a tick for the events of messages. Returns whether some are recorded. Throws nothing. */
    private static boolean timesEvents() {
        try {
            return Flight.isOn() && TimedEvents.tick(System.nanoTime());
        } catch (Throwable t) { // memory is exhausted
            timesNoEvents();
            return false;
        }
    }

    private static void timesNoEvents() {
        try {
            if (Flight.isOn()) {
                TimedEvents.stop();
            }
        } catch (Throwable t) {
            return; // messages refer to an old moment until the next tick
        }
    }

    /**
     * Drops an idle scheduler, and clears its link: a live system would otherwise keep the schedulers of closed ones in
     * memory. The link is cleared before {@code canBeDropped} clears the flag with a volatile write, because another
     * thread may then set the flag and push the scheduler, which sets the link.
     */
    private static boolean isDropped(WorkerScheduler scheduler) {
        WorkerScheduler next = scheduler.nextWatched;
        scheduler.nextWatched = null;
        if (scheduler.canBeDropped()) {
            return true;
        }
        scheduler.nextWatched = next;
        return false;
    }

    private static void nameLongTurns(WorkerScheduler scheduler) {
        for (Worker worker : scheduler.someWorkers(MAX_NAMED)) {
            WorkerNames.nameAfterActor(worker);
        }
    }

    private void takeOver() {
        WorkerScheduler taken = (WorkerScheduler) PUSHED.getAndSet((WorkerScheduler) null);
        while (taken != null) {
            WorkerScheduler next = taken.nextWatched;
            taken.nextWatched = first;
            first = taken;
            taken = next;
        }
    }

    private boolean isTickDue() {
        long now = System.nanoTime();
        boolean due = now - lastTick >= TICK_NANOS;
        if (due) {
            lastTick = now;
            ticks = ++time;
            millis = exactMillis();
        }
        return due;
    }

    private void unlink(@Nullable WorkerScheduler before, @Nullable WorkerScheduler next) {
        if (before == null) {
            first = next;
        } else {
            before.nextWatched = next;
        }
    }
}
