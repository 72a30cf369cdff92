package io.fibry.bench.hunt;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Runs a {@link Program} once, and checks the account. */
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
     * @param problems broken promises; none if the program has run as it should
     * @param world the system that has been closed
     */
    record Outcome(List<Problem> problems, World world) {}

    /**
     * Runs the program on a thread of its own. The calling thread is the watchdog, and must be a platform thread: no virtual thread may be
     * able to run.
     *
     * @param patience a trial that takes longer is a hang, and its threads stay
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
            world.ledger.problem("close returns false", "twice, the last time within " + world.patience);
        }
        world.over = true;
    }
}
