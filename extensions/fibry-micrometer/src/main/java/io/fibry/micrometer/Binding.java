package io.fibry.micrometer;

import io.fibry.ActorSystem;
import io.fibry.Measure;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a system in a registry. Whoever reads one of them gets the number of the last snapshot; if that was a new one, it also
 * adds and removes meters.
 *
 * <p>A reader may hold locks of the registry, and to add a meter takes such locks. So no reader waits for one that changes the
 * meters: it leaves that to that one, or to the next reader.
 */
final class Binding {

    private final Sampler sampler;
    private final MeterRegistry registry;
    private final Tags tags;

    /** Held while meters are added and removed. */
    private final ReentrantLock changes = new ReentrantLock();

    private final Map<MeterKey, Meter> meters = new HashMap<>(); // guarded by the lock
    private boolean closed; // guarded by the lock
    private volatile Sampler.@Nullable Snapshot synced;

    Binding(ActorSystem system, MeterRegistry registry, Tags tags, @Nullable NameLimit actors, LongSupplier clock) {
        this.sampler = new Sampler(system, actors, clock);
        this.registry = registry;
        this.tags = tags;
    }

    /** Adds the first meters. The first scrape takes a new snapshot. */
    void open() {
        sync(sampler.snapshot());
        sampler.forget();
    }

    void close() {
        changes.lock();
        try {
            closed = true;
            meters.values().forEach(registry::remove);
            meters.clear();
        } finally {
            changes.unlock();
        }
    }

    private @Nullable Measure measure(MeterKey key) {
        Sampler.Snapshot snapshot = sampler.snapshot();
        if (snapshot != synced) {
            sync(snapshot);
        }
        return snapshot.measures().get(key);
    }

    private void sync(Sampler.Snapshot snapshot) {
        if (changes.isHeldByCurrentThread() || !changes.tryLock()) {
            return;
        }
        try {
            if (closed || snapshot == synced) {
                return;
            }
            synced = snapshot;
            meters.entrySet().removeIf(entry -> {
                boolean gone = !snapshot.measures().containsKey(entry.getKey());
                if (gone) {
                    registry.remove(entry.getValue());
                }
                return gone;
            });
            snapshot.measures().forEach((key, measure) -> meters.computeIfAbsent(key, k -> register(k, measure)));
        } finally {
            changes.unlock();
        }
    }

    private Meter register(MeterKey key, Measure measure) {
        var reading = new Reading(key, measure.value());
        Tags all = tags;
        for (Map.Entry<String, String> tag : key.tags().entrySet()) {
            all = all.and(tag.getKey(), tag.getValue());
        }
        if (measure.kind() == Measure.Kind.COUNTER) {
            return FunctionCounter.builder(key.name(), reading, r -> reading.value())
                    .tags(all)
                    .baseUnit(unit(measure))
                    .description(measure.description())
                    .register(registry);
        }
        if (measure.unit().equals("seconds")) {
            return TimeGauge.builder(key.name(), reading::value, TimeUnit.SECONDS)
                    .tags(all)
                    .description(measure.description())
                    .register(registry);
        }
        return Gauge.builder(key.name(), reading::value)
                .tags(all)
                .baseUnit(unit(measure))
                .description(measure.description())
                .register(registry);
    }

    private static @Nullable String unit(Measure measure) {
        return measure.unit().isEmpty() ? null : measure.unit();
    }

    /** What a meter reads. If its actor or server is gone, and the meter is about to be, it keeps the last number. */
    private final class Reading {
        private final MeterKey key;
        private volatile double last;

        Reading(MeterKey key, double first) {
            this.key = key;
            this.last = first;
        }

        double value() {
            Measure m = measure(key);
            if (m != null) {
                last = m.value();
            }
            return last;
        }
    }
}
