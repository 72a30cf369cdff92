package io.fibry.micrometer;

import io.fibry.Metric;
import io.fibry.dispatch.LogText;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The meters that a binding has added to a registry. Not thread-safe.
 *
 * <p>A registry returns an existing meter with the same name and tags instead of adding a second one. Such a meter
 * belongs to another system and must be neither read nor removed here. This class therefore distinguishes it from a new
 * meter.
 */
final class OwnMeters {

    private static final Logger LOG = LoggerFactory.getLogger(FibryMetrics.class);

    private final MeterRegistry registry;
    private final Tags tags;
    private final Map<MeterKey, Meter> meters = new HashMap<>();
    private boolean hasWarned;

    OwnMeters(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
    }

    /** Removes meters without a metric, and adds missing meters. */
    void update(Map<MeterKey, Metric> metrics, BiFunction<MeterKey, Metric, Supplier<Number>> readings) {
        meters.entrySet().removeIf(entry -> {
            boolean gone = !metrics.containsKey(entry.getKey());
            if (gone) {
                registry.remove(entry.getValue());
            }
            return gone;
        });
        if (!meters.keySet().containsAll(metrics.keySet())) {
            Set<Meter> known = Collections.newSetFromMap(new IdentityHashMap<>());
            known.addAll(registry.getMeters());
            metrics.forEach((key, metric) -> {
                if (!meters.containsKey(key)) {
                    add(key, metric, readings.apply(key, metric), known);
                }
            });
        }
    }

    void clear() {
        meters.values().forEach(registry::remove);
        meters.clear();
    }

    private void add(MeterKey key, Metric metric, Supplier<Number> reading, Set<Meter> known) {
        RuntimeException refusal = null;
        try {
            Meter meter = register(key, metric, reading);
            if (known.add(meter)) {
                meters.put(key, meter);
                return;
            }
        } catch (RuntimeException e) { // a meter of another type, or a filter; this may be in the middle of a scrape
            refusal = e;
        }
        if (!hasWarned) {
            hasWarned = true;
            LOG.warn(
                    "Meter {} {} {} was not added: the registry has it from elsewhere, or refuses it. Others may be"
                            + " missing, too. Systems with the same name need different values in FibryMetrics.tags",
                    LogText.plain(key.name()),
                    LogText.plain(tags),
                    LogText.plain(key.tags()),
                    LogText.plain(refusal));
        }
    }

    private Meter register(MeterKey key, Metric metric, Supplier<Number> reading) {
        Tags all = tags;
        for (Map.Entry<String, String> tag : key.tags().entrySet()) {
            all = all.and(tag.getKey(), tag.getValue());
        }
        if (metric.kind() == Metric.Kind.COUNTER) {
            // The registry refers to its argument only weakly, so the function must refer to it, too: no method
            // reference.
            return FunctionCounter.builder(
                            key.name(), reading, weak -> reading.get().doubleValue())
                    .tags(all)
                    .baseUnit(unit(metric))
                    .description(metric.description())
                    .register(registry);
        }
        if (metric.unit().equals("seconds")) {
            return TimeGauge.builder(key.name(), reading, TimeUnit.SECONDS)
                    .tags(all)
                    .description(metric.description())
                    .register(registry);
        }
        return Gauge.builder(key.name(), reading)
                .tags(all)
                .baseUnit(unit(metric))
                .description(metric.description())
                .register(registry);
    }

    private static @Nullable String unit(Metric metric) {
        return metric.unit().isEmpty() ? null : metric.unit();
    }
}
