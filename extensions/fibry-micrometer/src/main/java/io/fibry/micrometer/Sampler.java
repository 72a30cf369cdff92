package io.fibry.micrometer;

import io.fibry.ActorSystem;
import io.fibry.Measure;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The last snapshot of a system. It takes a new one when it is asked and the last one is too old. */
final class Sampler {

    /** A scrape reads all meters within this time, mostly; and two scrapes are farther apart. */
    private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

    /** So many servers get meters, in the life of a binding. */
    private static final int MAX_SERVERS = 100;

    /** The numbers of one moment. */
    record Snapshot(Map<MeterKey, Measure> measures, long nanos) {}

    private final ActorSystem system;
    private final @Nullable NameLimit actors;
    private final NameLimit servers = new NameLimit(MAX_SERVERS, name -> true);
    private final LongSupplier clock;

    /** Held while a snapshot is taken, and never while a registry is called. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile @Nullable Snapshot last;

    Sampler(ActorSystem system, @Nullable NameLimit actors, LongSupplier clock) {
        this.system = system;
        this.actors = actors;
        this.clock = clock;
    }

    Snapshot snapshot() {
        Snapshot before = last;
        if (before != null && isFresh(before)) {
            return before;
        }
        lock.lock();
        try {
            Snapshot meanwhile = last;
            if (meanwhile != null && isFresh(meanwhile)) {
                return meanwhile;
            }
            Snapshot taken = take();
            last = taken;
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** The next snapshot is a new one. */
    void forget() {
        last = null;
    }

    private boolean isFresh(Snapshot s) {
        return clock.getAsLong() - s.nanos < FRESH_NANOS;
    }

    private Snapshot take() {
        NameLimit named = actors;
        List<Measure> measures = named == null ? system.measures() : system.measures(named::admits);
        Map<MeterKey, Measure> all = new HashMap<>();
        for (Measure measure : measures) {
            String server = measure.tags().get("server");
            if (server == null || servers.admits(server)) {
                all.merge(MeterKey.of(measure), measure, Sampler::sum);
            }
        }
        return new Snapshot(all, clock.getAsLong());
    }

    /** Two servers may have the same label: a port on two addresses. */
    private static Measure sum(Measure a, Measure b) {
        return new Measure(a.name(), a.kind(), a.unit(), a.tags(), a.value() + b.value(), a.description());
    }
}
