package io.fibry.micrometer;

import io.fibry.Metric;
import java.util.Map;

/** The identity of a meter of a system. */
record MeterKey(String name, Map<String, String> tags) {

    static MeterKey of(Metric metric) {
        return new MeterKey(metric.name(), metric.tags());
    }
}
