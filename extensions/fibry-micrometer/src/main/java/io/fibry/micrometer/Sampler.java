package io.fibry.micrometer;

import io.fibry.ActorSystem;
import io.fibry.Metric;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Caches a snapshot of a system, and renews it on a read if it is too old.
 *
 * <p>It refers to the system until the system has ended. Afterwards the numbers change only through messages to its
 * actors, and their senders refer to the system.
 */
final class Sampler {

    /** A scrape usually reads all meters within this time, and scrapes are further apart. */
    private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

    /** The number of servers that get meters during the lifetime of a binding. */
    private static final int MAX_SERVERS = 100;

    /** The metrics at one time. */
    record Snapshot(Map<MeterKey, Metric> metrics, long nanos) {}

    private final WeakReference<ActorSystem> system;
    private final @Nullable NameLimit actors;
    private final NameLimit servers = new NameLimit(MAX_SERVERS, name -> true);
    private final Succession succession = new Succession();
    private final LongSupplier clock;

    /** Held while a snapshot is taken, and never while a registry is called. */
    private final ReentrantLock lock = new ReentrantLock();

    private @Nullable ActorSystem living; // guarded by the lock; null once the system has ended
    private volatile Snapshot last;

    Sampler(ActorSystem system, @Nullable NameLimit actors, LongSupplier clock) {
        this.system = new WeakReference<>(system);
        this.actors = actors;
        this.clock = clock;
        living = system;
        last = take(system);
    }

    /** Returns the last snapshot, renewed if it is too old. */
    Snapshot snapshot() {
        Snapshot before = last;
        if (isFresh(before)) {
            return before;
        }
        lock.lock();
        try {
            ActorSystem s = living != null ? living : system.get();
            if (s != null && !isFresh(last)) {
                living = hasEnded(s) ? null : s; // before the snapshot, which is then the final one
                last = take(s);
            }
            return last;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the last snapshot of any age. */
    Snapshot newest() {
        return last;
    }

    /** Makes the next read take a new snapshot. */
    void expire() {
        lock.lock();
        try {
            last = new Snapshot(last.metrics, last.nanos - FRESH_NANOS);
        } finally {
            lock.unlock();
        }
    }

    private static boolean hasEnded(ActorSystem system) {
        return system.isClosing() && system.actors().findAny().isEmpty();
    }

    private boolean isFresh(Snapshot s) {
        return clock.getAsLong() - s.nanos < FRESH_NANOS;
    }

    private Snapshot take(ActorSystem s) {
        NameLimit named = actors;
        List<Metric> metrics = named == null ? s.metrics() : s.metrics(named::admits);
        Map<MeterKey, Metric> all = new HashMap<>();
        for (Metric metric : metrics) {
            String server = metric.tags().get("server");
            if (server == null || servers.admits(server)) {
                all.merge(MeterKey.of(metric), metric, Sampler::sum);
            }
        }
        succession.countOn(all);
        return new Snapshot(all, clock.getAsLong());
    }

    /** Two servers may have the same label, such as a port on two addresses. */
    private static Metric sum(Metric a, Metric b) {
        return Succession.withValue(a, a.value() + b.value());
    }
}
