package io.fibry.bench.hunt;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Runs a program many times in a separate JVM, with the options of this JVM: a hang would keep its threads and
 * carriers.
 */
final class ChildRuns implements Predicate<Program> {

    private static final Duration PATIENCE = Duration.ofSeconds(6);
    private static final Duration TO_REPRODUCE = Duration.ofSeconds(40);
    private static final Duration LEAST = Duration.ofSeconds(3);
    private static final Duration MOST = Duration.ofSeconds(15);

    /** The last line of a child whose program has failed begins with it, and ends with the kind of the problem. */
    static final String FAILED = "failed: ";

    private final HuntOptions options;
    private final String kind;
    private final long end;
    private Duration each = TO_REPRODUCE;

    ChildRuns(HuntOptions options, Problem problem) {
        this.options = options;
        kind = problem.kind();
        end = System.nanoTime() + options.shrink().toNanos();
    }

    /** Returns whether the failure reappears. Measures the time to allow for the other runs. */
    boolean reproduces(Program program) {
        long start = System.nanoTime();
        if (!test(program)) {
            return false;
        }
        Duration taken = Duration.ofNanos(System.nanoTime() - start).multipliedBy(3);
        each = taken.compareTo(LEAST) < 0 ? LEAST : taken.compareTo(MOST) > 0 ? MOST : taken;
        return true;
    }

    /** Returns whether the time has expired. */
    boolean isLate() {
        return System.nanoTime() - end > 0;
    }

    @Override
    public boolean test(Program program) {
        if (isLate()) {
            return false;
        }
        try {
            Process process = new ProcessBuilder(command(program))
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            Thread limit = Thread.ofPlatform().daemon().start(() -> {
                if (!ended(process)) {
                    process.destroyForcibly();
                }
            });
            Optional<String> failed = process.inputReader(UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(FAILED))
                    .findFirst();
            limit.interrupt();
            return failed.isPresent() && failed.get().equals(FAILED + kind);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean ended(Process process) {
        try {
            return process.waitFor(each.toSeconds() + 60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            return true; // the output has ended
        }
    }

    private List<String> command(Program program) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> !option.startsWith("-agentlib") && !option.startsWith("-javaagent"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Hunt.class.getName()));
        command.addAll(List.of("--seed", Long.toString(program.seed()), "--keep", program.keptText()));
        command.addAll(List.of("--repeat", "1000000", "--seconds", Long.toString(each.toSeconds())));
        command.addAll(List.of("--parallel", Integer.toString(options.parallel)));
        command.addAll(
                List.of("--patience", Long.toString(Math.min(PATIENCE.toSeconds(), options.patience.toSeconds()))));
        return command;
    }
}
