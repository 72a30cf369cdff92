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
 * The times at which a task runs, the maximum number of runs, and the policy for missed runs. Immutable: each method
 * that sets an option returns a new timetable.
 *
 * {@snippet class = "ShapeSnippets" region = "timetable"}
 */
public final class Timetable {

    /** The period in which a settable clock is read. */
    private static final Duration LOOK = Duration.ofMinutes(1);

    private static final Duration DEFAULT_TOLERANCE = Duration.ofMinutes(1);

    /** Not modified after construction. */
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
     * Runs at once, and then once in each period. If a run takes longer, the runs that become due during it are
     * skipped, and the later ones keep the rate. The timetable does not depend on the time of day, so setting the clock
     * does not affect it.
     *
     * @throws IllegalArgumentException if the period is not positive
     */
    public static Timetable atFixedRate(Duration period) {
        var values = new Values(requirePositive("the period of a schedule", period));
        return new Timetable(values);
    }

    /**
     * Runs at once, and then repeatedly, with this delay between the end of a run and the start of the next. The
     * timetable does not depend on the time of day.
     *
     * @throws IllegalArgumentException if the delay is not positive
     */
    public static Timetable withFixedDelay(Duration delay) {
        var values = new Values(requirePositive("the delay of a schedule", delay));
        values.afterEnd = true;
        return new Timetable(values);
    }

    /**
     * Runs at these times of day. When the clocks are set forward, a time in the gap is shifted by the length of the
     * gap, for instance from 2:30 to 3:30. If 3:30 is also one of the times, both runs follow each other. When the
     * clocks are set back, a time in the overlap runs at its first occurrence. Each time therefore occurs once per day.
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
     * Runs at the times that a function computes, for instance a function of a library for cron expressions. The
     * function takes a time, and returns the first planned time after it, or null if there is none; the actor then
     * ends. If the function throws, or returns a time that is not later, the actor fails with an
     * {@link IllegalStateException}; at the start, the exception is thrown to the caller. After an
     * {@link OutOfMemoryError}, the actor calls the function again.
     */
    public static Timetable following(Function<Instant, @Nullable Instant> next) {
        var values = new Values((Duration) null);
        values.next = Objects.requireNonNull(next, "next");
        values.clock = Time::now;
        values.look = LOOK;
        return new Timetable(values);
    }

    /**
     * Sets the time until the first run. The default is zero.
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
     * Limits the number of runs. The actor ends after the last one. Skipped runs do not count. The default is no limit.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public Timetable maxRuns(long runs) {
        if (runs < 1) {
            throw new IllegalArgumentException("maxRuns must be at least 1, not " + runs);
        }
        return with(v -> v.maxRuns = runs);
    }

    // ---- late and long runs

    /**
     * Sets the policy for missed runs. The default is {@link MissedRuns#ONCE}. A timetable with a fixed delay has no
     * missed runs.
     */
    public Timetable missed(MissedRuns what) {
        Objects.requireNonNull(what, "what");
        return with(v -> v.missed = what);
    }

    /**
     * Sets the maximum delay of a run that {@link MissedRuns#SKIP} does not skip. The default is one minute.
     *
     * @throws IllegalArgumentException if the time is not positive
     */
    public Timetable tolerance(Duration time) {
        requirePositive("the tolerance", time);
        return with(v -> v.tolerance = time);
    }

    /**
     * Logs a warning, with the stack, when a run takes longer than this time. The default is no report.
     *
     * @throws IllegalArgumentException if the time is not positive
     */
    public Timetable reportAfter(Duration time) {
        requirePositive("the time of a report", time);
        return with(v -> v.reportAfter = time);
    }

    /**
     * Interrupts a run that takes longer than this time, and logs a warning. Each run is then handled by a child of the
     * actor with the same strategy, and code given to {@link io.fibry.Actor#execute} may run concurrently with it. The
     * next run follows when the interrupted one has ended. The default is no interrupt.
     *
     * @throws IllegalArgumentException if the time is not positive
     */
    public Timetable interruptAfter(Duration time) {
        requirePositive("the time of an interrupt", time);
        return with(v -> v.interruptAfter = time);
    }

    /**
     * Sets the clock, for instance for a test. The default is the system clock for times of day, and a monotonic clock
     * for a rate or a delay. A settable clock is read once a minute, so a run is at most a minute late after a change
     * of the clock, or after the computer was suspended. If the clock is set back by more than an hour, the next run is
     * computed again from the new time, and a line is logged. A smaller step back does not change the plan, so that no
     * run is repeated.
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

    /** The options set by the methods above. */
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
