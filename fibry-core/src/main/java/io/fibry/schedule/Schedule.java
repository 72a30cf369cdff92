package io.fibry.schedule;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorContext;
import io.fibry.ActorStoppedException;
import io.fibry.StopPhase;
import io.fibry.Supervision;
import io.fibry.ThrowingRunnable;
import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.LogText;
import io.fibry.dispatch.OutOfMemory;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a task inside an actor, by a timetable. An {@link Alarm} sends each tick to the actor. There is at most one tick
 * at a time, because each tick plans the next one when its run has completed. An alarm that fires early by the
 * timetable's clock, which may have been set, only sets the next alarm.
 *
 * <p>Invariant: after a stop, no alarm stays active. The stopping thread writes {@code stopped}, then reads
 * {@code timer}; a thread that sets an alarm writes {@code timer}, then reads {@code stopped}. Both fields are
 * volatile, so these four accesses are totally ordered: neither write may be reordered with the read that follows it
 * (StoreLoad). If the write of the alarm comes before the stopper's read, the stopper cancels the alarm. Otherwise the
 * stop is visible to the thread that has set the alarm, which cancels it itself.
 *
 * <p><b>No schedule remains without a next tick.</b> A turn that handles a tick plans the next one, whatever the task
 * throws. If the planning itself throws, the actor fails. If memory runs out, the step is repeated until it succeeds or
 * the actor is stopped.
 */
public final class Schedule {

    private static final Logger LOG = LoggerFactory.getLogger(Schedule.class);

    private static final Object TICK = new Object();

    /** Sent in place of a tick if the alarm has found that the clock was set back. */
    private static final Object PUT_BACK = new Object();

    /** A smaller step back of the clock does not change the plan, so that no run is repeated. */
    private static final Duration LARGE_STEP = Duration.ofHours(1);

    private static final Function<Schedule, Boolean> IS_MISSED = Schedule::isMissed;
    private static final BiConsumer<Schedule, Actor<Object>> PLAN_NEXT = Schedule::planNext;
    private static final BiConsumer<Schedule, Actor<Object>> PLAN_AGAIN = Schedule::planAgain;
    private static final BiConsumer<Schedule, Actor<Object>> GO_ON = Schedule::goOn;

    private final Timetable.Values table;
    private final Plan plan;
    private final Run run;

    /**
     * The due time of the current or the next tick. Written by the turn of a tick, before it sets the alarm that reads
     * it.
     */
    private @Nullable Instant due;

    /**
     * The time of the clock when the last tick was planned. Written like {@link #due}, and by the alarm before it sets
     * the next one or sends.
     */
    private Instant seen;

    /** The number of remaining runs. Used only in the actor's turns. */
    private long left;

    private volatile @Nullable Alarm timer;
    private volatile boolean stopped;

    private Schedule(Timetable.Values table, Instant now, Run run) {
        this.table = table;
        this.run = run;
        plan = new Plan(table, now);
        due = plan.first();
        seen = now;
        left = table.maxRuns;
    }

    /**
     * Starts an actor that runs a task by a timetable, until it is stopped. Runs never overlap. An exception of the
     * task is logged with the actor's name, and the next run follows as planned. Other code may use the actor as an
     * executor, between the runs; see also {@link Timetable#interruptAfter}.
     *
     * <p>A stop cancels the later runs, also with {@link Timetable#maxRuns}, and lets the current run finish. Later
     * runs are not pending work. They leave no dead letters, except a run that is due and waits for the actor: with
     * {@link io.fibry.StopMode#DISCARD} or a harder mode, its message is a dead letter. Use
     * {@link io.fibry.ActorContext#after} for a task that must still run. The actor does not keep the JVM alive, but it
     * is not garbage-collected before it is stopped or its system is closed.
     *
     * @param builder its strategy is that of the actor and its runs
     * @throws IllegalArgumentException if the builder has {@link ActorBuilder#supervision}
     * @throws IllegalStateException if the system is closed, or the timetable fails to compute the first run
     */
    @SuppressWarnings("unchecked") // safe: the actor discards all messages except its own
    public static Actor<Void> start(ActorBuilder<Object> builder, ThrowingRunnable task, Timetable timetable) {
        Objects.requireNonNull(task, "task");
        Timetable.Values table = timetable.values;
        Instant now = now(table);
        var schedule = new Schedule(table, now, new Run(task, builder.strategy(), table));
        Actor<Object> actor = builder.checkNoSupervision("a failed run is logged, and the next one follows")
                .copy()
                .stopPhase(StopPhase.SCHEDULES)
                .supervision(Supervision.resume().on(PlanFailedException.class, Supervision.stop()))
                .onStopRequested(mode -> schedule.cancel())
                .newActorFrom(context -> {
                    Runnable ended = () -> schedule.runEnded(context.self()); // a turn may have no memory for it
                    return message -> schedule.handle(context, message, ended);
                });
        OutOfMemory.repeat(GO_ON, schedule, actor);
        return (Actor<Void>) (Actor<?>) actor;
    }

    /** Arranges the next tick. If it is already due, sends it at once; if there is none, stops the actor. */
    private void goOn(Actor<Object> actor) {
        if (stopped) {
            return; // this step is repeated if memory runs out
        }
        if (due == null) {
            actor.stop();
        } else if (due.isAfter(seen)) {
            setAlarm(actor, due, seen);
        } else {
            send(actor, TICK);
        }
    }

    private void setAlarm(Actor<Object> actor, Instant until, Instant now) {
        long nanos = Durations.limitedNanos(Duration.between(now, until));
        var next = new Alarm();
        timer = next;
        next.start(
                Math.min(nanos, Durations.limitedNanos(table.look)),
                () -> ring(actor)); // not startBrief: may run the task
        if (stopped) {
            next.cancel();
        }
    }

    /**
     * Called when an alarm has fired, and again if it runs out of memory. An exception of the clock is sent to the
     * actor, which reports it.
     */
    private void ring(Actor<Object> actor) {
        if (stopped) {
            return;
        }
        try {
            Instant now = now();
            if (wasPutBack(now)) {
                send(actor, PUT_BACK); // the function of the plan is called in a turn of the actor
            } else {
                seen = now;
                goOn(actor);
            }
        } catch (Throwable t) {
            send(actor, notPlanned(t));
        }
    }

    private Instant now() {
        return now(table);
    }

    /** Reads the clock. An exception of the clock must end the actor, like one of the function of the plan. */
    private static Instant now(Timetable.Values table) {
        try {
            return Objects.requireNonNull(table.clock.instant(), "the time");
        } catch (Throwable t) {
            throw PlanFailedException.of("the clock of a timetable has failed", t);
        }
    }

    private boolean wasPutBack(Instant now) {
        return Duration.between(now, seen).compareTo(LARGE_STEP) > 0;
    }

    private void send(Actor<Object> actor, Object message) {
        try {
            actor.tell(message);
        } catch (ActorStoppedException e) {
            cancel(); // no tick follows
        }
    }

    // ---- in the turns of the actor

    private void handle(ActorContext<Object> context, Object message, Runnable ended) throws Exception {
        if (message instanceof PlanFailedException failure) {
            throw failure;
        }
        if (stopped) { // a tick that was in the mailbox at the stop
            return;
        }
        if (message == PUT_BACK) {
            plan(PLAN_AGAIN, context.self());
        } else if (message == TICK) {
            if (skips()) {
                plan(PLAN_NEXT, context.self());
            } else {
                run.begin(context, ended);
            }
        }
    }

    /** Called in a turn of the actor when a run has ended in any way. */
    private void runEnded(Actor<Object> actor) {
        left--;
        plan(PLAN_NEXT, actor);
    }

    private boolean skips() {
        try {
            return OutOfMemory.get(IS_MISSED, this);
        } catch (Throwable t) {
            throw notPlanned(t);
        }
    }

    /** Takes a step that sets {@link #due}, and arranges that tick. */
    private void plan(BiConsumer<Schedule, Actor<Object>> step, Actor<Object> actor) {
        try {
            OutOfMemory.repeat(step, this, actor);
            OutOfMemory.repeat(GO_ON, this, actor);
        } catch (Throwable t) {
            throw notPlanned(t);
        }
    }

    private static PlanFailedException notPlanned(Throwable t) {
        return PlanFailedException.of("the next run of a schedule could not be planned", t);
    }

    // ---- repeated if memory runs out, until the actor is stopped

    private boolean isMissed() {
        return stopped || plan.isMissed(planned(), now());
    }

    private void planNext(Actor<Object> actor) {
        if (left == 0) {
            due = null;
        } else if (!stopped) {
            Instant now = now();
            if (wasPutBack(now)) {
                planAgain(actor, now);
            } else {
                due = plan.next(planned(), now);
                seen = now;
            }
        }
    }

    private void planAgain(Actor<Object> actor) {
        if (!stopped) {
            planAgain(actor, now());
        }
    }

    /**
     * Computes the plan again. Otherwise the next run would follow the old time, perhaps a year later. Changes nothing
     * before the log line, which may run out of memory.
     */
    private void planAgain(Actor<Object> actor, Instant now) {
        Instant next = plan.again(now);
        LOG.warn(
                "Actor {}: the clock was put back from {} to {}; the next run is at {} and not at {}",
                LogText.plain(actor),
                seen,
                now,
                next,
                due);
        due = next;
        seen = now;
    }

    private Instant planned() {
        return Objects.requireNonNull(due, "a tick without its time");
    }

    /** Cancels the next tick permanently. Any thread may call this, usually the thread that stops the actor. */
    private void cancel() {
        stopped = true;
        Alarm planned = timer;
        if (planned != null) {
            planned.cancel();
        }
    }
}
