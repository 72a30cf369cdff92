package io.fibry.durable;

import io.fibry.ActorSystem;
import io.fibry.ForwardingActor;
import io.fibry.Metric;
import io.fibry.MetricSource;
import io.fibry.StopMode;
import io.fibry.durable.ProjectionStatus.Failure;
import java.util.List;

/** Adds the metrics of a projection to the metrics of an actor system. */
final class ProjectionMetrics extends ForwardingActor<Void> implements MetricSource {

    private final RunningProjection projection;

    private ProjectionMetrics(RunningProjection projection, ActorSystem system) {
        super(system.actor("projection-" + projection.name()).newActor(ignored -> {}));
        this.projection = projection;
    }

    /** Returns the end of the publication. */
    static Runnable publish(RunningProjection projection, ActorSystem system) {
        var metrics = new ProjectionMetrics(projection, system);
        metrics.beFoundByName();
        return () -> metrics.stop(StopMode.DISCARD);
    }

    @Override
    public List<Metric> metrics() {
        ProjectionStatus status = projection.status();
        long stopped = status.failures().stream().filter(Failure::isStopped).count();
        return List.of(
                Metric.time("fibry.projection.lag", status.lag(), "Age of the oldest event that is not handled"),
                Metric.counter("fibry.projection.events", status.events(), "Events that this node has handled"),
                Metric.gauge("fibry.projection.stopped", stopped, "Slices that are stopped after failures"));
    }
}
