package io.fibry;

import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.Durations;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A stop with a deadline: it takes the steps of {@link Closing} by alarms, so no thread waits. */
final class TimedStop {

    private final Closing.Ending end;
    private final CompletableFuture<ActorExit> exit;

    /** The next step. Written before a look at the exit: either that look sees the end, or the end finds the alarm. */
    private volatile @Nullable Alarm next;

    private TimedStop(Closing.Ending end, CompletableFuture<ActorExit> exit) {
        this.end = end;
        this.exit = exit;
    }

    /**
     * Arranges the steps to an end that has been requested. With a deadline that is over, the first one is taken at once.
     *
     * @param exit completes with the end; not seen by users, who might complete it
     * @return a future for users, which completes when no alarm is left
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

    /** Repeatable, as the action of an alarm has to be: each step has no effect, or the same one, if it has been taken already. */
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
