package io.fibry.cluster.pekko;

import io.fibry.cluster.Failover;
import java.time.Duration;

/**
 * The times that determine the speed of a failover, and the time for which an isolated node may begin messages.
 * {@link Fence} requires that {@code confirmation} is shorter than {@code margin}.
 *
 * @param heartbeat the time between two heartbeats
 * @param pause the time without heartbeats after which a node counts as unreachable
 * @param stableAfter the time without a change of the set of unreachable nodes after which the majority removes them
 * @param margin the time from the removal of a node until other nodes may own its shards
 * @param confirmation the validity of a confirmation by the majority
 * @param takeover the time within which other nodes take over the entities of an unresponsive node
 */
record Timing(
        Duration heartbeat,
        Duration pause,
        Duration stableAfter,
        Duration margin,
        Duration confirmation,
        Duration takeover) {

    private static final Timing DEFAULT = of(500, 3_000, 3_000, 2_500, 2_000, 15_000);
    private static final Timing FAST = of(300, 2_000, 1_500, 1_500, 1_000, 10_000);

    private static Timing of(
            long heartbeat, long pause, long stableAfter, long margin, long confirmation, long takeover) {
        return new Timing(
                Duration.ofMillis(heartbeat),
                Duration.ofMillis(pause),
                Duration.ofMillis(stableAfter),
                Duration.ofMillis(margin),
                Duration.ofMillis(confirmation),
                Duration.ofMillis(takeover));
    }

    static Timing of(Failover failover) {
        return switch (failover) {
            case DEFAULT -> DEFAULT;
            case FAST -> FAST;
        };
    }
}
