package io.fibry.cluster.pekko;

import io.fibry.ForwardingActor;
import io.fibry.Metric;
import io.fibry.MetricSource;
import io.fibry.cluster.ClusterStats;
import io.fibry.cluster.Member;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** The metrics of a node, among those of its actor system. */
final class ClusterMetrics extends ForwardingActor<Void> implements MetricSource {

    private final PekkoCluster cluster;
    private final AtomicLong roundTrip;

    private ClusterMetrics(PekkoCluster cluster, AtomicLong roundTrip) {
        super(cluster.system().actor("cluster-" + cluster.options().name()).newActor(ignored -> {}));
        this.cluster = cluster;
        this.roundTrip = roundTrip;
    }

    /** @param roundTrip the latest round trip to another node, in nanoseconds */
    static void publish(PekkoCluster cluster, AtomicLong roundTrip) {
        new ClusterMetrics(cluster, roundTrip).beFoundByName();
    }

    @Override
    public List<Metric> metrics() {
        List<Metric> metrics = new ArrayList<>();
        List<Member> members = cluster.members();
        for (Member.State state : Member.State.values()) {
            long count =
                    members.stream().filter(member -> member.state() == state).count();
            metrics.add(Metric.gauge("fibry.cluster.members", count, "Members as seen by this node, by state")
                    .tagged("state", state.name().toLowerCase(Locale.ROOT)));
        }
        ClusterStats stats = cluster.stats();
        metrics.add(Metric.gauge("fibry.cluster.ready", cluster.isReady() ? 1 : 0, "1 if the node is ready, else 0"));
        metrics.add(Metric.gauge("fibry.cluster.shards", stats.shards(), "Shards that the node owns"));
        metrics.add(Metric.gauge("fibry.cluster.entities", stats.entities(), "Entities in memory"));
        metrics.add(messages("resent", stats.resent()));
        metrics.add(messages("refused", stats.refused()));
        metrics.add(messages("lost", stats.lost()));
        metrics.add(Metric.counter("fibry.cluster.moves", stats.moved(), "Shards handed over to other nodes"));
        metrics.add(Metric.counter(
                "fibry.cluster.connections.rejected", stats.rejectedConnections(), "Rejected connections"));
        metrics.add(Metric.time(
                "fibry.cluster.round.trip",
                Duration.ofNanos(roundTrip.get()),
                "The latest round trip to another node"));
        return metrics;
    }

    private static Metric messages(String result, long count) {
        return Metric.counter("fibry.cluster.messages", count, "Messages that were not delivered at once, by result")
                .tagged("result", result);
    }
}
