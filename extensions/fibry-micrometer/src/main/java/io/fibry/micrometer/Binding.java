package io.fibry.micrometer;

import io.fibry.ActorSystem;
import io.fibry.Metric;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a system in a registry. A read returns the value of the last snapshot; a read that takes a new snapshot
 * also adds and removes meters.
 *
 * <p>A reader may hold locks of the registry, and adding a meter acquires such locks. A reader therefore never waits
 * for a thread that changes the meters: it leaves the change to that thread or to the next reader. Readers may have
 * different snapshots, in any order. The meters therefore follow the newest snapshot of the sampler, not that of the
 * reader.
 */
final class Binding {

    private final Sampler sampler;

    /** Held while meters are added and removed. */
    private final ReentrantLock changes = new ReentrantLock();

    private final OwnMeters meters; // guarded by the lock
    private boolean closed; // guarded by the lock
    private volatile Sampler.@Nullable Snapshot synced;

    Binding(ActorSystem system, MeterRegistry registry, Tags tags, @Nullable NameLimit actors, LongSupplier clock) {
        sampler = new Sampler(system, actors, clock);
        meters = new OwnMeters(registry, tags);
    }

    /** Adds the first meters. The first scrape takes a new snapshot. */
    void open() {
        sync();
        sampler.expire();
    }

    void close() {
        changes.lock();
        try {
            closed = true;
            meters.clear();
        } finally {
            changes.unlock();
        }
    }

    private @Nullable Metric metric(MeterKey key) {
        Sampler.Snapshot snapshot = sampler.snapshot();
        if (snapshot != synced) {
            sync();
        }
        return snapshot.metrics().get(key);
    }

    private void sync() {
        if (changes.isHeldByCurrentThread() || !changes.tryLock()) {
            return;
        }
        try {
            Sampler.Snapshot newest = sampler.newest();
            if (!closed && newest != synced) {
                synced = newest;
                meters.update(newest.metrics(), Reading::new);
            }
        } finally {
            changes.unlock();
        }
    }

    /**
     * The value function of a meter. After the end of its actor or server it returns the last value, until the meter is
     * removed.
     */
    private final class Reading implements Supplier<Number> {
        private final MeterKey key;
        private volatile double last;

        Reading(MeterKey key, Metric first) {
            this.key = key;
            this.last = first.value();
        }

        @Override
        public Number get() {
            Metric m = metric(key);
            if (m != null) {
                last = m.value();
            }
            return last;
        }
    }
}
