package io.fibry.kernel;

import io.fibry.ActorExit;
import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.Durations;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A stop with a deadline: it runs the steps of {@link Closing} by alarms, so no thread waits. */
final class TimedStop {

    private final Closing.Ending end;
    private final CompletableFuture<ActorExit> exit;

    /**
     * The next step. Written before the exit is checked: either that check sees the end, or the end finds the alarm.
     */
    private volatile @Nullable Alarm next;

    private TimedStop(Closing.Ending end, CompletableFuture<ActorExit> exit) {
        this.end = end;
        this.exit = exit;
    }

    /**
     * Schedules the steps to a requested end. If the deadline is over, the first step runs at once.
     *
     * @param exit completes with the end; not accessible to users, who might complete it
     * @return a future for users, which completes after the last alarm has been cancelled
     */
    static CompletableFuture<ActorExit> begin(
            Duration deadline, Closing.Ending end, CompletableFuture<ActorExit> exit) {
        if (exit.isDone()) {
            return exit.copy();
        }
        var stop = new TimedStop(end, exit);
        CompletableFuture<ActorExit> withoutAlarm = exit.whenComplete((result, failure) -> stop.cancel());
        if (deadline.isPositive()) {
            stop.takeAfter(deadline, 0);
        } else {
            stop.take(0);
        }
        return withoutAlarm.copy();
    }

    private void takeAfter(Duration time, int step) {
        var alarm = new Alarm();
        next = alarm;
        if (!exit.isDone()) {
            alarm.start(Durations.nanos(time), () -> take(step));
        }
    }

    /** Runs a step. Idempotent, as required of an alarm's action. */
    private void take(int step) {
        if (exit.isDone()) {
            return;
        }
        Closing.STEPS.get(step).accept(end);
        if (step + 1 < Closing.STEPS.size()) {
            takeAfter(Closing.GRACE, step + 1);
        }
    }

    private void cancel() {
        Alarm alarm = next;
        if (alarm != null) {
            alarm.cancel();
        }
    }
}
