package io.fibry.test;

import io.fibry.ThrowingConsumer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Runs schedules one after the other on its own virtual thread. If this thread gets stuck in an uninterruptible
 * operation, the caller still receives a failure.
 */
final class Lane implements Runnable {

    /** The result of a lane. */
    record Result(long runs, @Nullable Failed failed) {}

    /** The first failed run of a lane. */
    record Failed(long number, ScheduleFailure failure) {}

    private final ThrowingConsumer<TestSystem> test;
    private final Runs source;
    private final String owner;
    private final CompletableFuture<Result> result = new CompletableFuture<>();

    Lane(ThrowingConsumer<TestSystem> test, Runs source, String owner) {
        this.test = test;
        this.source = source;
        this.owner = owner;
    }

    void start() {
        Thread.ofVirtual().name("fibry-test").start(this);
    }

    CompletableFuture<Result> result() {
        return result;
    }

    @Override
    public void run() {
        var watch = StallWatch.begin(true, result::completeExceptionally);
        try {
            result.complete(runAll(watch));
        } catch (Throwable t) {
            result.completeExceptionally(t);
        } finally {
            watch.end();
        }
    }

    private Result runAll(StallWatch watch) {
        long runs = 0;
        for (Runs.Run run = source.next(); run != null; run = source.next()) {
            Trace trace = Trace.silent();
            Throwable failure = runOne(run.chooser(), trace, watch);
            runs++;
            if (failure != null) {
                source.failed(run.number());
                return new Result(runs, new Failed(run.number(), repeated(run.chooser(), trace, failure, watch)));
            }
        }
        return new Result(runs, null);
    }

    /** Repeats the failed run with a trace. */
    private ScheduleFailure repeated(Chooser failed, Trace before, Throwable failure, StallWatch watch) {
        Trace trace = Trace.recording();
        Throwable again = runOne(failed.again(), trace, watch);
        String note = "";
        if (again == null || trace.fingerprint() != before.fingerprint()) {
            note = "\n"
                    + "Repeated, this run took another course, so it depends on something besides the order of the"
                    + " actors: real time, random numbers, a thread, the order in a HashMap, or what an earlier"
                    + " run has left behind";
        }
        return new ScheduleFailure(failed.replay(), trace.lines(), note, failure);
    }

    /** Returns the failure of the run, or null. */
    @Nullable
    Throwable runOne(Chooser chooser, Trace trace, StallWatch watch) {
        TestSystem system = TestSystem.of(owner, chooser, trace);
        watch.look(system.simulation());
        try {
            test.accept(system);
        } catch (Throwable t) {
            system.simulation().fail(t);
        }
        return system.end();
    }
}
