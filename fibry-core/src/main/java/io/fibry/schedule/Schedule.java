package io.fibry.schedule;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorStoppedException;
import io.fibry.StopPhase;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Code that runs inside an actor at a fixed rate. The JDK's one timer thread only sends the ticks; there is at most one tick
 * under way, since each plans the next when it is done.
 *
 * <p>No tick is sent after the stop: the stopper first sets {@code stopped} and then cancels the timer that it finds, while a
 * tick first publishes its timer and then looks at {@code stopped}. Both are volatile, so one of the two cancels it.
 */
public final class Schedule {

    /** As good as never, and no sum of it with a time overflows. */
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 4);

    private final Runnable task;
    private final long period;

    /** When the tick under way was due; actor only. */
    private long due = System.nanoTime();

    private volatile @Nullable CompletableFuture<Void> timer;
    private volatile boolean stopped;

    private Schedule(Runnable task, long period) {
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
    public static Actor<Void> start(ActorBuilder builder, Runnable task, Duration period) {
        Objects.requireNonNull(task, "task");
        var schedule = new Schedule(task, nanos(period));
        Actor<Void> actor = builder.stopPhase(StopPhase.SCHEDULES)
                .onStopRequested(mode -> schedule.cancel())
                .newActor(ignored -> {});
        actor.execute(() -> schedule.tick(actor));
        return actor;
    }

    private static long nanos(Duration period) {
        if (period.isZero() || period.isNegative()) {
            throw new IllegalArgumentException("a period has to be positive, and this one is " + period);
        }
        return period.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : period.toNanos();
    }

    private void tick(Actor<Void> actor) {
        try {
            task.run();
        } finally {
            planNext(actor);
        }
    }

    private void planNext(Actor<Void> actor) {
        due = nextDue(due, System.nanoTime(), period);
        var next = new CompletableFuture<Void>();
        CompletableFuture<Void> unused = next.thenRun(() -> send(actor));
        timer = next;
        next.completeOnTimeout(null, due - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (stopped) {
            next.cancel(false);
        }
    }

    /** The first time after now that keeps to the rate. */
    static long nextDue(long due, long now, long period) {
        return due + ((now - due) / period + 1) * period;
    }

    private void send(Actor<Void> actor) {
        try {
            actor.execute(() -> tick(actor));
        } catch (ActorStoppedException e) {
            cancel(); // stopped while the timer went off: this was the last tick
        }
    }

    /** Called by the one who stops the actor. The JDK drops the timer's entry when the future is done before its time. */
    private void cancel() {
        stopped = true;
        CompletableFuture<Void> planned = timer;
        if (planned != null) {
            planned.cancel(false);
        }
    }
}
