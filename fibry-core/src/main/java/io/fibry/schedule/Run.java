package io.fibry.schedule;

import io.fibry.Actor;
import io.fibry.ActorContext;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingRunnable;
import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.LogText;
import io.fibry.dispatch.OutOfMemory;
import io.fibry.dispatch.Stacks;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runs of a task. A run that may be interrupted is a child of the actor: the interrupt is a stop of that child, and
 * the kernel ensures that it reaches no other actor. Other runs take place in the actor's own turn.
 */
final class Run {

    private static final Logger LOG = LoggerFactory.getLogger(Schedule.class);
    private static final int MOST_FRAMES = 20;
    private static final Consumer<Child> WATCH = Child::watch;

    /** An action for a run that exceeds a time limit. */
    private record Watch(Duration limit, Runnable action, Alarm alarm) {
        Watch(Duration limit, Runnable action) {
            this(limit, action, new Alarm());
        }

        void begin() {
            if (limit != Durations.FOREVER) {
                alarm.start(Durations.limitedNanos(limit), action);
            }
        }

        void end() {
            alarm.cancel();
        }
    }

    private record Label(Actor<?> schedule) {
        @Override
        public String toString() {
            return schedule.name() + ", run";
        }
    }

    /** A run in a child. Made before the child starts, since a later step must not need memory that is missing. */
    private record Child(ActorContext<Object> parent, CompletableFuture<Actor<Void>> self, Runnable done) {
        void watch() {
            parent.watch(self.join(), exit -> done.run());
        }
    }

    private final ThrowingRunnable task;
    private final ThreadStrategy strategy;
    private final Timetable.Values table;

    /** The thread of the current run, for a report. Null between runs. */
    private volatile @Nullable Thread thread;

    Run(ThrowingRunnable task, ThreadStrategy strategy, Timetable.Values table) {
        this.task = task;
        this.strategy = strategy;
        this.table = table;
    }

    /**
     * Begins a run, in a turn of the actor. Calls {@code done} in a turn of the actor when the run has ended in any
     * way.
     */
    void begin(ActorContext<Object> context, Runnable done) throws Exception {
        if (table.interruptAfter == null) {
            runHere(context.self(), done);
        } else {
            runInChild(context, table.interruptAfter, done);
        }
    }

    private void runHere(Actor<?> actor, Runnable done) throws Exception {
        try {
            runWatched(List.of(reportLater(actor)));
        } catch (Throwable t) {
            doneAfter(t, done);
            throw t;
        }
        done.run();
    }

    private static void doneAfter(Throwable failure, Runnable done) {
        try {
            done.run();
        } catch (PlanFailedException e) {
            e.addSuppressed(failure);
            throw e;
        }
    }

    private void runInChild(ActorContext<Object> context, Duration limit, Runnable done) {
        Child child;
        try {
            child = start(context, limit, done);
        } catch (Throwable t) { // no child whose end could be watched
            doneAfter(t, done);
            throw t;
        }
        OutOfMemory.repeat(WATCH, child); // otherwise no run follows the end of the child
    }

    private Child start(ActorContext<Object> context, Duration limit, Runnable done) {
        Actor<Object> actor = context.self();
        var child = new Child(context, new CompletableFuture<>(), done);
        Watch interrupt = new Watch(limit, () -> {
            LOG.warn(
                    "Actor {}: a run has taken longer than {}, and is interrupted{}",
                    LogText.plain(actor),
                    limit,
                    stack());
            child.self.join().stop(StopMode.INTERRUPT);
        });
        Actor<Void> self = context.spawn()
                .strategy(strategy)
                .label(new Label(actor))
                .runOnce(() -> runWatched(List.of(reportLater(actor), interrupt)));
        child.self.complete(self);
        return child;
    }

    private Watch reportLater(Actor<?> actor) {
        Duration after = table.reportAfter;
        return new Watch(
                after == null ? Durations.FOREVER : after,
                () -> LOG.warn("Actor {}: a run has taken longer than {}{}", LogText.plain(actor), after, stack()));
    }

    /** Runs the task. Its time limits count from here, not from the planned time. */
    private void runWatched(List<Watch> watches) throws Exception {
        thread = Thread.currentThread();
        watches.forEach(Watch::begin);
        try {
            task.run();
        } finally {
            watches.forEach(Watch::end);
            thread = null;
        }
    }

    private String stack() {
        Thread runner = thread;
        return runner == null
                ? ""
                : Arrays.stream(Stacks.of(runner))
                        .limit(MOST_FRAMES)
                        .map(frame -> "\n\tat " + frame)
                        .collect(Collectors.joining());
    }
}
