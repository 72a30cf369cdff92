package io.fibry.spring;

import io.fibry.cluster.ClusterSystem;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * The health of the node of a cluster. The status is {@code UP} if the node is ready, {@code DOWN} if it has left the
 * cluster or has been removed, and {@code OUT_OF_SERVICE} otherwise.
 */
final class NodeHealth extends AbstractHealthIndicator {

    private final ClusterSystem cluster;

    NodeHealth(ClusterSystem cluster) {
        super("The health of the node could not be read");
        this.cluster = cluster;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        if (cluster.isReady()) {
            health.up();
        } else if (cluster.removed().isDone()) {
            health.down();
        } else {
            health.outOfService();
        }
        health.withDetail(
                        "members",
                        cluster.members().stream()
                                .map(member -> member.address() + " " + member.state())
                                .toList())
                .withDetail("shards", cluster.stats().shards())
                .withDetail("entities", cluster.stats().entities());
    }
}
