package io.fibry.bench.hunt;

import io.fibry.ActorSystem;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Detects leaks of closed systems. A closed system must become unreachable; a timer, a thread, a registry of the JVM or
 * a thread-local that still refers to it would retain it. In addition, no thread may have the name of one of its
 * actors.
 */
final class Leaks {

    /**
     * The time after its close within which a system may still be reachable, for instance until its last worker has
     * ended.
     */
    private static final Duration AGE = Duration.ofSeconds(20);

    record Leak(Program program, Problem problem) {}

    private record Closed(Program program, WeakReference<ActorSystem> system, long at) {}

    private final Queue<Closed> closed = new ConcurrentLinkedQueue<>();

    void add(World world) {
        closed.add(new Closed(world.program, new WeakReference<>(world.system), System.nanoTime()));
    }

    /**
     * Checks the systems that were closed a while ago or, if patience is given, all systems until the patience has
     * expired.
     */
    Optional<Leak> look(Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            System.gc();
            closed.removeIf(c -> c.system.refersTo(null));
            boolean wait = !patience.isZero() && System.nanoTime() - end < 0;
            if (closed.isEmpty()) {
                return Optional.empty();
            }
            if (!wait) {
                return leak(patience.isZero() ? AGE : Duration.ZERO);
            }
            Thread.sleep(50);
        }
    }

    private Optional<Leak> leak(Duration age) {
        List<Closed> left = new ArrayList<>(closed);
        Set<String> threads = new HashSet<>();
        Thread.getAllStackTraces().keySet().forEach(thread -> threads.add(thread.getName()));
        for (Closed c : left) {
            if (System.nanoTime() - c.at >= age.toNanos() && !c.system.refersTo(null)) {
                String name = "hunt-" + c.program.seed() + "-";
                List<String> own =
                        threads.stream().filter(t -> t.startsWith(name)).toList();
                return Optional.of(new Leak(
                        c.program,
                        new Problem(
                                "leak",
                                "the system is no garbage after its close, and so are " + (left.size() - 1)
                                        + " others; threads of its actors: " + own)));
            }
        }
        return Optional.empty();
    }
}
