package io.fibry.schedule;

import io.fibry.dispatch.Durations;
import io.fibry.dispatch.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * When a task runs, how often at most, and what happens if it is late. Immutable: each method that sets something returns a new timetable.
 *
 * {@snippet class = "ShapeSnippets" region = "timetable"}
 */
public final class Timetable {

    /** How often a clock that may be changed is looked at. */
    private static final Duration LOOK = Duration.ofMinutes(1);

    private static final Duration DEFAULT_TOLERANCE = Duration.ofMinutes(1);

    /** Not modified any more once the constructor has been called. */
    final Values values;

    private Timetable(Values values) {
        this.values = values;
    }

    private Timetable with(Consumer<Values> change) {
        var copy = new Values(values);
        change.accept(copy);
        return new Timetable(copy);
    }

    // ---- when

    /**
     * At once, and then once in each period. If a run takes longer, the runs that are due meanwhile are left out, and the later
     * ones keep to the rate. It does not depend on the time of day, so nobody disturbs it by setting the clock.
     *
     * @throws IllegalArgumentException if the period is not positive
     */
    public static Timetable atFixedRate(Duration period) {
        var values = new Values(requirePositive("the period of a schedule", period));
        return new Timetable(values);
    }

    /**
     * At once, and then always so long after the end of the run before. It does not depend on the time of day.
     *
     * @throws IllegalArgumentException if the delay is not positive
     */
    public static Timetable withFixedDelay(Duration delay) {
        var values = new Values(requirePositive("the delay of a schedule", delay));
        values.afterEnd = true;
        return new Timetable(values);
    }

    /**
     * At these times of day. When the clocks are put forward, a time that this day does not have comes later by as
     * much, as 3:30 for 2:30. If 3:30 is one of the times, too, both runs follow each other. When they are put back, a
     * time that this day has twice counts the first time. Each time therefore occurs once per day.
     *
     * @throws IllegalArgumentException if there is no time
     */
    public static Timetable dailyAt(ZoneId zone, LocalTime... times) {
        if (times.length == 0) {
            throw new IllegalArgumentException("a timetable needs at least one time of day");
        }
        return following(new DailyTimes(Objects.requireNonNull(zone, "zone"), List.of(times)));
    }

    /**
     * At the times that a function computes, for instance of a library for cron expressions. It gets a time, and returns the first
     * planned one after it, or null if there is none; then the actor ends. If it throws, or returns a time that is not
     * later, the actor fails with an {@link IllegalStateException}; at the start, that is thrown to the caller.
     */
    public static Timetable following(Function<Instant, @Nullable Instant> next) {
        var values = new Values((Duration) null);
        values.next = Objects.requireNonNull(next, "next");
        values.clock = Time::now;
        values.look = LOOK;
        return new Timetable(values);
    }

    /**
     * Sets the time until the first run. The default is none.
     *
     * @throws IllegalArgumentException if the time is negative, or the timetable is not one with a rate or a delay
     */
    public Timetable startAfter(Duration time) {
        if (values.period == null) {
            throw new IllegalArgumentException("the first run of this timetable is at its first time");
        }
        if (time.isNegative()) {
            throw new IllegalArgumentException("the time until the first run must not be negative, but is " + time);
        }
        return with(v -> v.startAfter = time);
    }

    /**
     * Limits the number of runs. The actor ends after the last one. Runs that are left out do not count. The default is no limit.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public Timetable maxRuns(long runs) {
        if (runs < 1) {
            throw new IllegalArgumentException("maxRuns must be at least 1, not " + runs);
        }
        return with(v -> v.maxRuns = runs);
    }

    // ---- what if it is late

    /** Sets what happens to runs whose time has passed. The default is {@link MissedRuns#ONCE}. A fixed delay misses none. */
    public Timetable missed(MissedRuns what) {
        Objects.requireNonNull(what, "what");
        return with(v -> v.missed = what);
    }

    /**
     * Sets how late a run may be with {@link MissedRuns#SKIP}. The default is one minute.
     *
     * @throws IllegalArgumentException if the time is not positive
     */
    public Timetable tolerance(Duration time) {
        requirePositive("the tolerance", time);
        return with(v -> v.tolerance = time);
    }

    /**
     * Logs a warning with the stack of a run that takes longer than this. The default is no report.
     *
     * @throws IllegalArgumentException if the time is not positive
     */
    public Timetable reportAfter(Duration time) {
        requirePositive("the time of a report", time);
        return with(v -> v.reportAfter = time);
    }

    /**
     * Interrupts a run that takes longer than this, and logs a warning. Each run is then a child of the actor, on the same kind of
     * thread, but not on the same thread; and what is given to {@link io.fibry.Actor#execute} may run beside it. The next run comes
     * when the interrupted one has ended. The default is no interrupt.
     *
     * @throws IllegalArgumentException if the time is not positive
     */
    public Timetable interruptAfter(Duration time) {
        requirePositive("the time of an interrupt", time);
        return with(v -> v.interruptAfter = time);
    }

    /**
     * Sets the clock, for instance for a test. The default is the system's clock for times of day, and for a rate or a delay one
     * that nobody can change. A clock that may be changed is looked at once a minute, so a run comes at most that late after a
     * change, or after the computer was suspended. If the clock is put back by more than an hour, the plan is computed again from the
     * new time, which is logged. A shorter step back does not change the plan, so that it repeats no run.
     */
    public Timetable clock(InstantSource clock) {
        Objects.requireNonNull(clock, "clock");
        return with(v -> {
            v.clock = clock;
            v.look = LOOK;
        });
    }

    /** For tests. */
    Timetable lookEvery(Duration time) {
        return with(v -> v.look = time);
    }

    private static Duration requirePositive(String what, Duration time) {
        if (time.isZero() || time.isNegative()) {
            throw new IllegalArgumentException(what + " must be positive, not " + time);
        }
        return time;
    }

    /** What the methods above set. */
    static final class Values {
        final @Nullable Duration period; // or delay; null for a function
        boolean afterEnd;

        @Nullable
        Function<Instant, @Nullable Instant> next;

        Duration startAfter = Duration.ZERO;
        long maxRuns = Long.MAX_VALUE;
        MissedRuns missed = MissedRuns.ONCE;
        Duration tolerance = DEFAULT_TOLERANCE;

        @Nullable
        Duration reportAfter;

        @Nullable
        Duration interruptAfter;

        InstantSource clock = new MonotonicClock();
        Duration look = Durations.FOREVER;

        Values(@Nullable Duration period) {
            this.period = period;
        }

        Values(Values from) {
            period = from.period;
            afterEnd = from.afterEnd;
            next = from.next;
            startAfter = from.startAfter;
            maxRuns = from.maxRuns;
            missed = from.missed;
            tolerance = from.tolerance;
            reportAfter = from.reportAfter;
            interruptAfter = from.interruptAfter;
            clock = from.clock;
            look = from.look;
        }
    }
}
