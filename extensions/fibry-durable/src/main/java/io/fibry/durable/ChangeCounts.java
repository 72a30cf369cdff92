package io.fibry.durable;

import io.fibry.Metric;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts the stored changes of a type. Safe for use by any thread. */
final class ChangeCounts {

    private final LongAdder changes = new LongAdder();
    private final LongAdder transactions = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    /**
     * Counts a change.
     *
     * @param time the nanoseconds from its submission to its commit
     * @param isFirst whether it is the first change of the type in its transaction
     */
    void stored(long time, boolean isFirst) {
        changes.increment();
        nanos.add(time);
        if (isFirst) {
            transactions.increment();
        }
    }

    List<Metric> metrics() {
        return List.of(
                Metric.counter("fibry.durable.changes", changes.sum(), "Stored changes"),
                Metric.counter("fibry.durable.transactions", transactions.sum(), "Transactions with stored changes"),
                new Metric(
                        "fibry.durable.change.time",
                        Metric.Kind.COUNTER,
                        "seconds",
                        Map.of(),
                        nanos.sum() / 1e9,
                        "Time from the submission of the stored changes to their commit"));
    }
}
