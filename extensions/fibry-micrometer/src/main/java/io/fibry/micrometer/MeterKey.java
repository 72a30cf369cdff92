package io.fibry.micrometer;

import io.fibry.Measure;
import java.util.Map;

/** What tells one meter of a system from the others. */
record MeterKey(String name, Map<String, String> tags) {

    static MeterKey of(Measure measure) {
        return new MeterKey(measure.name(), measure.tags());
    }
}
