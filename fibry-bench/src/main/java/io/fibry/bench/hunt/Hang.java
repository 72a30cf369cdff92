package io.fibry.bench.hunt;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
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

    /** The limit for a dump or a stack trace, which may also hang. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final int LONGEST = 40;

    private Hang() {}

    static Problem problem(World world, List<Thread> strands, Duration patience) throws InterruptedException {
        String text = "not over after " + patience.toSeconds() + " s; problems until then: " + world.ledger.problems
                + "\n\n" + within("dump", () -> world.system.dump().toString())
                + "\n" + within("stack of the strands", () -> stacks(strands))
                + "\n" + threads();
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
        return strands.stream().filter(Thread::isAlive).map(Hang::stack).collect(Collectors.joining("\n", "", "\n"));
    }

    private static String stack(Thread thread) {
        return (thread.isVirtual() ? "virtual " : "") + thread.getName() + " " + thread.getState()
                + Stream.of(thread.getStackTrace())
                        .map(frame -> "\n    at " + frame)
                        .collect(Collectors.joining());
    }

    /**
     * Returns the stack traces of all threads inside the library, including virtual threads. A thread dump of the JDK
     * may crash a JVM whose virtual threads are being mounted (JDK-8364343).
     */
    private static String threads() throws InterruptedException {
        var stacks = new ArrayList<String>();
        for (Thread thread : livingThreads()) {
            // a thread that the JDK has lost has no stack, and its getStackTrace does not return
            String stack = within("stack of " + thread, () -> stack(thread));
            if (stack.contains("io.fibry.") && !stack.contains("io.fibry.bench.hunt.H")) {
                stacks.add(stack);
            }
        }
        return stacks.stream().limit(LONGEST).collect(Collectors.joining("\n\n"));
    }

    @SuppressWarnings("unchecked")
    private static List<Thread> livingThreads() {
        try {
            Object root = Class.forName("jdk.internal.vm.ThreadContainers")
                    .getMethod("root")
                    .invoke(null);
            Method threads = Class.forName("jdk.internal.vm.ThreadContainer").getMethod("threads");
            return ((Stream<Thread>) threads.invoke(root)).toList();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("run the hunt with --add-exports=java.base/jdk.internal.vm=ALL-UNNAMED", e);
        }
    }
}
