package io.fibry.examples.tour;

import java.util.Locale;

/** The format of a rate. */
public enum Pace {
    /** Time per operation. */
    TIME_EACH {
        @Override
        String format(double perSecond) {
            double nanos = 1e9 / perSecond;
            return nanos < 10_000
                    ? String.format(Locale.ROOT, "%,.0f ns", nanos)
                    : String.format(Locale.ROOT, "%,.0f µs", nanos / 1000);
        }
    },
    /** Operations per second. */
    PER_SECOND {
        @Override
        String format(double perSecond) {
            return perSecond < 1e6
                    ? String.format(Locale.ROOT, "%,.0f/s", perSecond)
                    : String.format(Locale.ROOT, "%,.1f M/s", perSecond / 1e6);
        }
    };

    abstract String format(double perSecond);
}
