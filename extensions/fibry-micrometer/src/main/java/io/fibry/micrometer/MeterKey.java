package io.fibry.micrometer;

import io.fibry.Measure;
import java.util.Map;

/** The identity of a meter of a system. */
record MeterKey(String name, Map<String, String> tags) {

    static MeterKey of(Measure measure) {
        return new MeterKey(measure.name(), measure.tags());
    }
}
