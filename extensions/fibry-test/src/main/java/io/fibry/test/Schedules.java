package io.fibry.test;

import io.fibry.ThrowingConsumer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a test many times, each time with a different schedule of its actors. It is the counterpart of {@link ActorTest}
 * for frameworks other than JUnit, and has more options.
 *
 * {@snippet class = "TestSnippets" region = "schedules"}
 *
 * <p>Immutable.
 */
public final class Schedules {

    private final Supplier<Runs> runs;
    private final @Nullable LongFunction<Chooser> ofSeed;
    private final int lanes;

    private Schedules(Supplier<Runs> runs, @Nullable LongFunction<Chooser> ofSeed, int lanes) {
        this.runs = runs;
        this.ofSeed = ofSeed;
        this.lanes = lanes;
    }

    private static Schedules ofSeeds(long first, long last, LongFunction<Chooser> ofSeed) {
        return new Schedules(() -> Runs.ofSeeds(first, last, ofSeed), ofSeed, 1);
    }

    private static int requireSome(int schedules) {
        if (schedules < 1) {
            throw new IllegalArgumentException("the number of schedules must be at least 1, not " + schedules);
        }
        return schedules;
    }

    /** Returns random schedules, with the seeds from 1 to this number. */
    public static Schedules random(int seeds) {
        return ofSeeds(1, requireSome(seeds), RandomChooser::new);
    }

    /** Returns schedules by {@link Strategy#PCT}, with the seeds from 1 to this number. */
    public static Schedules pct(int seeds, int depth) {
        if (depth < 1) {
            throw new IllegalArgumentException("the depth must be at least 1, not " + depth);
        }
        return ofSeeds(1, requireSome(seeds), seed -> new PctChooser(seed, depth));
    }

    /**
     * Returns all schedules. If there are more than this number, the check fails; make the scenario smaller, or use
     * random schedules.
     */
    public static Schedules all(int max) {
        requireSome(max);
        return new Schedules(() -> Runs.ofAllPaths(max), null, 1);
    }

    /** Returns the single schedule that a failure has reported. */
    public static Schedules schedule(String schedule) {
        PathChooser path = PathChooser.parse(schedule);
        return new Schedules(() -> Runs.ofPath(path), null, 1);
    }

    /**
     * Returns only the schedule with this seed.
     *
     * @throws IllegalStateException if these schedules have no seeds
     */
    public Schedules only(long seed) {
        if (ofSeed == null) {
            throw new IllegalStateException("these schedules have no seeds; use Schedules.schedule(..)");
        }
        return ofSeeds(seed, seed, ofSeed);
    }

    /**
     * Returns these schedules, to be run in parallel. The runs of the test must not share state.
     *
     * @param runsAtOnce the number of schedules that run at the same time
     * @throws IllegalStateException if these schedules have no seeds: each then depends on the previous one
     */
    public Schedules parallel(int runsAtOnce) {
        if (runsAtOnce < 1) {
            throw new IllegalArgumentException("at least one schedule runs at a time, not " + runsAtOnce);
        }
        if (ofSeed == null) {
            throw new IllegalStateException("only schedules with seeds can run in parallel");
        }
        return new Schedules(runs, ofSeed, runsAtOnce);
    }

    /**
     * Runs the test with each schedule, and waits for completion.
     *
     * @return the number of schedules
     * @throws ScheduleFailure if the test fails with a schedule; if it fails with several, the one with the lowest seed
     */
    public long check(ThrowingConsumer<TestSystem> test) {
        Objects.requireNonNull(test, "test");
        Runs source = runs.get();
        String owner = RunningTest.nameOrPlace();
        List<Lane> all = new ArrayList<>();
        for (int i = 0; i < lanes; i++) {
            all.add(new Lane(test, source, owner));
        }
        all.forEach(Lane::start);
        long done = 0;
        Lane.Failed first = null;
        for (Lane lane : all) {
            Lane.Result result = result(lane);
            done += result.runs();
            Lane.Failed failed = result.failed();
            if (failed != null && (first == null || failed.number() < first.number())) {
                first = failed;
            }
        }
        if (first != null) {
            throw first.failure();
        }
        return done;
    }

    private static Lane.Result result(Lane lane) {
        try {
            return lane.result().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while the test runs", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Error error ? error : new AssertionError(e.getCause());
        }
    }
}
