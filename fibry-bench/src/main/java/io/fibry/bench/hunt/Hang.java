package io.fibry.bench.hunt;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Describes a trial that hangs: the dump of its system, and the stack traces of all threads inside the library. */
final class Hang {

    /** The limit for a dump, which may also hang. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final int LONGEST = 40;

    private Hang() {}

    static Problem problem(World world, List<Thread> strands, Duration patience) throws InterruptedException {
        String text = "not over after " + patience.toSeconds() + " s; problems until then: " + world.ledger.problems
                + "\n\n" + within("dump", () -> world.system.dump().toString())
                + "\n" + within("stack of the strands", () -> stacks(strands))
                + "\n" + within("thread dump", Hang::threads);
        return new Problem(Problem.HANG, text);
    }

    private static String within(String name, Callable<String> text) throws InterruptedException {
        var task = new FutureTask<String>(text);
        Thread unused = Thread.ofPlatform().daemon().name(name).start(task);
        try {
            return task.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return "(no " + name + ": it hangs, too)";
        } catch (ExecutionException e) {
            return "(no " + name + ": " + e.getCause() + ")";
        }
    }

    private static String stacks(List<Thread> strands) {
        return strands.stream()
                .filter(Thread::isAlive)
                .map(strand -> strand.getName() + " " + strand.getState()
                        + Stream.of(strand.getStackTrace())
                                .map(frame -> "\n    at " + frame)
                                .collect(Collectors.joining()))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** Returns the stack traces of all threads inside the library, including virtual threads. */
    private static String threads() throws IOException {
        Path directory = Files.createTempDirectory("hunt");
        Path dump = directory.resolve("dump");
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(dump.toString(), ThreadDumpFormat.TEXT_PLAIN);
            return List.of(Files.readString(dump).split("\n\n")).stream()
                    .filter(stack -> stack.contains("io.fibry.") && !stack.contains("io.fibry.bench.hunt.H"))
                    .limit(LONGEST)
                    .collect(Collectors.joining("\n\n"));
        } finally {
            Files.deleteIfExists(dump);
            Files.delete(directory);
        }
    }
}
