package io.fibry.durable;

import io.fibry.Actor;
import io.fibry.ForwardingActor;
import io.fibry.Metric;
import io.fibry.MetricSource;
import io.fibry.durable.DurableStore.Waiting;
import io.fibry.durable.Relay.Request;
import java.util.ArrayList;
import java.util.List;

/** The actor of a {@link Relay}, which adds its metrics to the metrics of its system. */
final class DeliveryActor extends ForwardingActor<Request> implements MetricSource {

    private final RelayCounts counts;
    private final ChangeCounts changes;

    private DeliveryActor(Actor<Request> actor, RelayCounts counts, ChangeCounts changes) {
        super(actor);
        this.counts = counts;
        this.changes = changes;
    }

    static DeliveryActor of(Actor<Request> actor, RelayCounts counts, ChangeCounts changes) {
        var delivery = new DeliveryActor(actor, counts, changes);
        delivery.beFoundByName();
        return delivery;
    }

    @Override
    public List<Metric> metrics() {
        Waiting waiting = counts.waiting();
        List<Metric> metrics = new ArrayList<>(changes.metrics());
        metrics.addAll(List.of(
                Metric.gauge("fibry.durable.messages", waiting.messages(), "Stored messages that are not handled yet"),
                Metric.gauge("fibry.durable.reminders", waiting.reminders(), "Due reminders that are not handled yet"),
                Metric.counter(
                        "fibry.durable.failures",
                        counts.failures(),
                        "Attempts to handle stored messages that failed")));
        return metrics;
    }
}
