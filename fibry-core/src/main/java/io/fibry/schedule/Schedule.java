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
 * Code that runs inside an actor at a fixed rate. An {@link Alarm} only sends the ticks; there is at most one tick under way, since
 * each plans the next when it is done.
 *
 * <p>No tick is sent after the stop: the stopper first sets {@code stopped} and then cancels the timer that it finds, while a
 * tick first publishes its timer and then looks at {@code stopped}. Both are volatile, so one of the two cancels it.
 */
public final class Schedule {

    private final ThrowingRunnable task;
    private final long period;

    /** When the tick under way was due; actor only. */
    private long due = System.nanoTime();

    private volatile @Nullable Alarm timer;
    private volatile boolean stopped;

    private Schedule(ThrowingRunnable task, long period) {
        this.task = task;
        this.period = period;
    }

    /**
     * Starts an actor that runs a task at once and then at a fixed rate, until it is stopped. Runs never overlap; the runs
     * that a slow one leaves no time for are left out, and the others keep to the rate. What the task throws is logged with
     * the actor's name, and the next run comes all the same. Other code may use the actor as an executor, between the runs.
     *
     * <p>A stop cancels what is due later, and lets the run under way finish. The actor does not keep the JVM alive, but it
     * is never garbage before it is stopped, or its system closed.
     *
     * @throws IllegalArgumentException if the period is not positive
     * @throws IllegalStateException if the system is closed
     */
    @SuppressWarnings("unchecked") // nobody has to send it anything
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
            throw new IllegalArgumentException("a period has to be positive, and this one is " + period);
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
        next.start(due - System.nanoTime(), () -> send(actor)); // not brief: an executor may run the task on the caller
        if (stopped) {
            next.cancel();
        }
    }

    /** The first time after now that keeps to the rate. */
    static long nextDue(long due, long now, long period) {
        return due + ((now - due) / period + 1) * period;
    }

    private void send(Sink<Schedule> actor) {
        try {
            actor.execute(next -> next.tick(actor));
        } catch (ActorStoppedException e) {
            cancel(); // stopped while the timer went off: this was the last tick
        }
    }

    /** Called by the one who stops the actor. */
    private void cancel() {
        stopped = true;
        Alarm planned = timer;
        if (planned != null) {
            planned.cancel();
        }
    }
}
