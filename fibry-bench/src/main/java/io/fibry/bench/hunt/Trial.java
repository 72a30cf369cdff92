package io.fibry.bench.hunt;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Runs a {@link Program} once, and checks the ledger. */
final class Trial {

    private final World world;
    private final List<Thread> strands = new ArrayList<>();

    private Trial(Program program, Plant plant, Duration patience) {
        world = new World(program, plant, patience);
        for (int strand : program.strands()) {
            Thread.Builder builder =
                    strand % 2 == 0 ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
            strands.add(builder.name("strand " + strand).unstarted(new Strand(world, strand)));
        }
    }

    /**
     * The outcome of a trial.
     *
     * @param problems the violated guarantees; empty if the program has succeeded
     * @param world the closed system
     */
    record Outcome(List<Problem> problems, World world) {}

    /**
     * Runs the program on a separate thread. The calling thread is the watchdog, and must be a platform thread, because
     * a hang may block all virtual threads.
     *
     * @param patience the time after which a trial counts as a hang; its threads are abandoned
     */
    static Outcome run(Program program, Plant plant, Duration patience) throws InterruptedException {
        var trial = new Trial(program, plant, patience.dividedBy(4));
        var failure = new AtomicReference<Throwable>();
        Thread thread =
                Thread.ofPlatform().daemon().name("trial " + program.seed()).unstarted(trial::run);
        thread.setUncaughtExceptionHandler((t, e) -> failure.set(e));
        thread.start();
        if (!thread.join(patience)) {
            return new Outcome(List.of(Hang.problem(trial.world, trial.strands, patience)), trial.world);
        }
        Throwable thrown = failure.get();
        if (thrown != null) {
            trial.world.unexpected("the trial", thrown);
        }
        return new Outcome(List.copyOf(trial.world.ledger.problems), trial.world);
    }

    private void run() {
        try {
            new Strand(world, Step.SETUP).run();
            strands.forEach(Thread::start);
            long closeAt = System.nanoTime() + world.program.closeAfter().toNanos();
            for (Thread strand : strands) {
                long left = closeAt - System.nanoTime();
                if (left > 0) {
                    boolean unused = strand.join(Duration.ofNanos(left));
                }
            }
            close();
            var checks = new Checks(world);
            if (!checks.asks()) {
                strands.forEach(Thread::interrupt); // one of them may wait for the reply
            }
            for (Thread strand : strands) {
                strand.join();
            }
            checks.run();
        } catch (InterruptedException e) {
            throw new IllegalStateException("Nothing interrupts a trial.", e);
        }
    }

    private void close() {
        Duration deadline = world.program.deadline();
        long start = System.nanoTime();
        boolean ended = world.system.close(deadline);
        world.checkClose("the system", deadline, start);
        if (!ended && !world.system.close(world.patience) && !world.ledger.forgotten.get()) {
            world.ledger.problem(
                    "close returns false",
                    "twice, the last time within " + world.patience + "; " + world.system.dump());
        }
        world.over = true;
    }
}
