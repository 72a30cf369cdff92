package io.fibry.test;

import io.fibry.ThrowingConsumer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Runs schedules one after the other, on a virtual thread of its own: if that thread gets stuck in something that cannot be
 * interrupted, the caller is told nevertheless.
 */
final class Lane implements Runnable {

    /** What a lane has found out. */
    record Result(long runs, @Nullable Failed failed) {}

    /** The first run of a lane that has failed. */
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
        var watch = Watch.begin(true, result::completeExceptionally);
        try {
            result.complete(runAll(watch));
        } catch (Throwable t) {
            result.completeExceptionally(t);
        } finally {
            watch.end();
        }
    }

    private Result runAll(Watch watch) {
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

    /** Runs it once more, for the lines of its trace. */
    private ScheduleFailure repeated(Chooser failed, Trace before, Throwable failure, Watch watch) {
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

    /** Returns what made the run fail, or null. */
    @Nullable
    Throwable runOne(Chooser chooser, Trace trace, Watch watch) {
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
