package io.fibry.bench.hunt;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Runs programs concurrently until one fails. */
final class Hunter {

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(5);

    private final HuntOptions options;
    private final Plant plant;
    private final LongFunction<@Nullable Program> programs;
    private final Leaks leaks = new Leaks();
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong runs = new AtomicLong();
    private final AtomicReference<@Nullable Finding> found = new AtomicReference<>();
    private volatile boolean ignored;
    private final long start = System.nanoTime();
    private final long end;

    /** @param programs maps a number to its program; null if there are no more programs */
    Hunter(HuntOptions options, Plant plant, LongFunction<@Nullable Program> programs) {
        this.options = options;
        this.plant = plant;
        this.programs = programs;
        end = start + options.search.toNanos();
    }

    /** Returns the number of programs that have run. */
    long runs() {
        return runs.get();
    }

    /**
     * Runs until a program fails, the time limit expires, or there are no more programs. Called by a platform thread.
     */
    Optional<Finding> run() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < options.parallel; i++) {
            threads.add(Thread.ofPlatform().daemon().name("hunter-" + i).start(this::runPrograms));
        }
        for (Thread thread : threads) {
            while (!thread.join(BETWEEN_LOOKS)) {
                look(false);
            }
        }
        look(true);
        return Optional.ofNullable(found.get());
    }

    private void look(boolean last) throws InterruptedException {
        if (found.get() == null && !ignored) { // a system with a known problem may live, and keep others
            leaks.look(last ? options.patience.dividedBy(4) : Duration.ZERO)
                    .filter(leak -> !options.ignores(leak.problem()))
                    .ifPresent(leak -> found(leak.program(), leak.problem()));
        }
    }

    private void runPrograms() {
        try {
            while (found.get() == null && System.nanoTime() - end < 0) {
                Program program = programs.apply(next.getAndIncrement());
                if (program == null) {
                    return;
                }
                Trial.Outcome outcome = Trial.run(program, plant, options.patience);
                runs.incrementAndGet();
                List<Problem> problems = outcome.problems();
                if (!problems.isEmpty()
                        && problems.stream().noneMatch(options::ignores)) { // a known one may cause others
                    found(program, problems.getFirst());
                } else if (problems.isEmpty()) {
                    leaks.add(outcome.world());
                } else {
                    ignored = true;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (OutOfMemoryError e) {
            found.compareAndSet(
                    null,
                    new Finding(Generator.program(0), new Problem("heap exhausted", e.toString()), runs(), seconds()));
        }
    }

    private void found(Program program, Problem problem) {
        found.compareAndSet(null, new Finding(program, problem, runs(), seconds()));
    }

    double seconds() {
        return (System.nanoTime() - start) / 1e9;
    }
}
