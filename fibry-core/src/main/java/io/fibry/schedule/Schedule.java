package io.fibry.schedule;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorStoppedException;
import io.fibry.Sink;
import io.fibry.StopPhase;
import io.fibry.ThrowingRunnable;
import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.Durations;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs a task inside an actor at a fixed rate. An {@link Alarm} sends each tick to the actor. There is at most one tick at a
 * time, because each tick plans the next one when its run is done.
 *
 * <p>Invariant: after a stop, no alarm stays active. The stopping thread writes {@code stopped}, then reads {@code timer}; a tick
 * writes {@code timer}, then reads {@code stopped}. Both fields are volatile, so these four accesses have one total order:
 * neither write may move behind the read that follows it (StoreLoad). If the tick's write comes before the stopper's read, the
 * stopper cancels the alarm. Otherwise the stopper's write comes before the tick's read, and the tick cancels its alarm itself.
 */
public final class Schedule {

    private final ThrowingRunnable task;
    private final long period;

    /** When the present tick was due, as {@link System#nanoTime}. Used only by the actor's handlers. */
    private long due = System.nanoTime();

    private volatile @Nullable Alarm timer;
    private volatile boolean stopped;

    private Schedule(ThrowingRunnable task, long period) {
        this.task = task;
        this.period = period;
    }

    /**
     * Starts an actor that runs a task at once and then at a fixed rate, until it is stopped. Runs never overlap. If a run takes
     * longer than the period, the runs that were due meanwhile are skipped, and the later ones keep to the rate. What the task
     * throws is logged with the actor's name, and the next run follows as planned. Other code may use the actor as an executor,
     * between the runs.
     *
     * <p>A stop cancels the later runs, and lets the present run finish. The actor does not keep the JVM alive, but it is not
     * garbage-collected before it is stopped or its system is closed.
     *
     * @throws IllegalArgumentException if the period is not positive
     * @throws IllegalStateException if the system is closed
     */
    @SuppressWarnings("unchecked") // safe: a sink discards its messages
    public static Actor<Void> start(ActorBuilder<Object> builder, ThrowingRunnable task, Duration period) {
        Objects.requireNonNull(task, "task");
        var schedule = new Schedule(task, nanos(period));
        Sink<Schedule> actor = builder.stopPhase(StopPhase.SCHEDULES)
                .onStopRequested(mode -> schedule.cancel())
                .newSink(schedule);
        actor.execute(first -> first.tick(actor));
        return (Actor<Void>) (Actor<?>) actor;
    }

    private static long nanos(Duration period) {
        if (period.isZero() || period.isNegative()) {
            throw new IllegalArgumentException("the period of a schedule must be positive, not " + period);
        }
        return Durations.limitedNanos(period);
    }

    private void tick(Sink<Schedule> actor) throws Exception {
        try {
            task.run();
        } finally {
            planNext(actor);
        }
    }

    private void planNext(Sink<Schedule> actor) {
        due = nextDue(due, System.nanoTime(), period);
        var next = new Alarm();
        timer = next;
        next.start(due - System.nanoTime(), () -> send(actor)); // not startBrief: may run the task on the caller
        if (stopped) {
            next.cancel();
        }
    }

    /** The first multiple of the period after the due time that is later than now. */
    static long nextDue(long due, long now, long period) {
        return due + ((now - due) / period + 1) * period;
    }

    private void send(Sink<Schedule> actor) {
        try {
            actor.execute(next -> next.tick(actor));
        } catch (ActorStoppedException e) {
            cancel(); // stopped while the alarm fired: no tick follows
        }
    }

    /** Cancels the next tick for good. Any thread may call it: usually the thread that stops the actor. */
    private void cancel() {
        stopped = true;
        Alarm planned = timer;
        if (planned != null) {
            planned.cancel();
        }
    }
}
