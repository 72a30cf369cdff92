package io.fibry.schedule;

import io.fibry.dispatch.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Computes the due times of a timetable's runs. It does not read a clock: each method takes the current time. A
 * thousand missed runs therefore need one call of the function rather than a thousand. A method that has thrown can be
 * called again.
 */
final class Plan {

    private final Timetable.Values table;
    private final Function<Instant, @Nullable Instant> following;
    private final @Nullable Instant first;

    /** The number of completed runs of the ones due at the current due time. */
    private int done;

    /** Whether the current run has begun later than the tolerance allows. */
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
            following = t ->
                    start.plusNanos((Math.floorDiv(Duration.between(start, t).toNanos(), nanos) + 1) * nanos);
            first = start;
        }
    }

    /** The due time of the first run; null if there is none. */
    @Nullable
    Instant first() {
        return first;
    }

    /** Whether a run with this due time has to be skipped. Called before each run. */
    boolean isMissed(Instant due, Instant now) {
        Instant earliest = earliest(now);
        late = due.isBefore(earliest);
        if (!late || table.missed != MissedRuns.SKIP || table.afterEnd) {
            return false;
        }
        Instant latest = after(earliest.minusNanos(1));
        return latest == null || latest.isAfter(now);
    }

    /** The earliest due time that the tolerance allows; at least the smallest instant. */
    private Instant earliest(Instant now) {
        long tolerance = Durations.limitedNanos(table.tolerance);
        return now.isBefore(Instant.MIN.plusNanos(tolerance)) ? Instant.MIN : now.minusNanos(tolerance);
    }

    /** The due time of the run after a completed run with the given due time; null if there is none. */
    @Nullable
    Instant next(Instant due, Instant now) {
        if (table.afterEnd) {
            return now.plusNanos(Durations.limitedNanos(Objects.requireNonNull(table.period)));
        }
        int completed = done + 1;
        if (completed < runsAt(due)) {
            done = completed;
            return due;
        }
        boolean behind = table.missed == MissedRuns.ALL || now.isBefore(due); // the clock may have been set back
        Instant next = after(behind ? due : now);
        done = 0;
        return next;
    }

    /** Two if a time of day in a gap is shifted to another one. Missed runs count as one, except with {@code ALL}. */
    private int runsAt(Instant due) {
        return table.next instanceof DailyTimes daily && (!late || table.missed == MissedRuns.ALL)
                ? daily.runsAt(due)
                : 1;
    }

    /** The due time of the next run after the clock has been set back; null if there is none. */
    @Nullable
    Instant again(Instant now) {
        done = 0;
        return table.afterEnd ? next(now, now) : after(now);
    }

    private @Nullable Instant after(Instant time) {
        Instant next;
        try {
            next = following.apply(time);
        } catch (Throwable t) {
            throw PlanFailedException.of("the function of a timetable has failed for " + time, t);
        }
        if (next != null && !next.isAfter(time)) {
            throw new PlanFailedException(
                    "the function of a timetable must return a time after " + time + ", not " + next, null);
        }
        return next;
    }
}
