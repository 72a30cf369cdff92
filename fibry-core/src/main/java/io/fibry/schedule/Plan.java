package io.fibry.schedule;

import io.fibry.dispatch.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Computes when the runs of a timetable are due. It looks at no clock: each method gets the present time. So a thousand missed runs cost one
 * call of the function, and not a thousand.
 */
final class Plan {

    private final Timetable.Values table;
    private final Function<Instant, @Nullable Instant> following;
    private final @Nullable Instant first;

    /** How many runs have been done of the ones that are due at the present time. */
    private int done;

    /** Whether the present run has begun later than the tolerance allows. */
    private boolean late;

    Plan(Timetable.Values table, Instant now) {
        this.table = table;
        Function<Instant, @Nullable Instant> given = table.next;
        Duration period = table.period;
        if (given != null || period == null) {
            following = given == null ? t -> null : given;
            first = after(now);
        } else {
            Instant start = now.plusNanos(Durations.limitedNanos(table.startAfter));
            long nanos = Durations.limitedNanos(period);
            following = t -> start.plusNanos((Duration.between(start, t).toNanos() / nanos + 1) * nanos);
            first = start;
        }
    }

    /** When the first run is due; null if there is none. */
    @Nullable
    Instant first() {
        return first;
    }

    /** Whether a run that was due then has to be left out now. Called before each run. */
    boolean isMissed(Instant due, Instant now) {
        late = due.isBefore(now.minusNanos(Durations.limitedNanos(table.tolerance)));
        if (table.missed != MissedRuns.SKIP || table.afterEnd) {
            return false;
        }
        Instant earliest = now.minusNanos(Durations.limitedNanos(table.tolerance));
        if (!due.isBefore(earliest)) {
            return false;
        }
        Instant latest = after(earliest.minusNanos(1));
        return latest == null || latest.isAfter(now);
    }

    /** When the next run is due, after one that was due then and is done now; null if there is none. */
    @Nullable
    Instant next(Instant due, Instant now) {
        if (table.afterEnd) {
            return now.plusNanos(Durations.limitedNanos(Objects.requireNonNull(table.period)));
        }
        if (++done < runsAt(due)) {
            return due;
        }
        done = 0;
        boolean behind = table.missed == MissedRuns.ALL || now.isBefore(due); // the clock may have been put back
        return after(behind ? due : now);
    }

    /** Two if a time of day that this day does not have falls on another one. Runs that were missed are one, unless all count. */
    private int runsAt(Instant due) {
        return table.next instanceof DailyTimes daily && (!late || table.missed == MissedRuns.ALL)
                ? daily.runsAt(due)
                : 1;
    }

    /** When the next run is due after the clock has been put back; null if there is none. */
    @Nullable
    Instant again(Instant now) {
        done = 0;
        return table.afterEnd ? next(now, now) : after(now);
    }

    private @Nullable Instant after(Instant time) {
        Instant next;
        try {
            next = following.apply(time);
        } catch (RuntimeException e) {
            throw new PlanFailedException("the function of a timetable has failed for " + time, e);
        }
        if (next != null && !next.isAfter(time)) {
            throw new PlanFailedException(
                    "the function of a timetable must return a time after " + time + ", not " + next, null);
        }
        return next;
    }
}
