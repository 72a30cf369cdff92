package io.fibry.cluster.pekko;

import io.fibry.cluster.Failover;
import java.time.Duration;

/**
 * The times that decide how fast others take over, and how long a node may begin messages without hearing of them. {@link Fence} needs the
 * last one to be shorter than the margin.
 *
 * @param heartbeat the time between two heartbeats
 * @param pause how long heartbeats may be missing before a node counts as unreachable
 * @param stableAfter how long the unreachable nodes must stay the same before the majority removes them
 * @param margin from the removal of a node until others may own what it owned
 * @param confirmation how long a confirmation of the majority is valid
 */
record Timing(Duration heartbeat, Duration pause, Duration stableAfter, Duration margin, Duration confirmation) {

    private static final Timing DEFAULT = of(500, 3_000, 3_000, 2_500, 2_000);
    private static final Timing FAST = of(300, 2_000, 1_500, 1_500, 1_000);

    private static Timing of(long heartbeat, long pause, long stableAfter, long margin, long confirmation) {
        return new Timing(
                Duration.ofMillis(heartbeat),
                Duration.ofMillis(pause),
                Duration.ofMillis(stableAfter),
                Duration.ofMillis(margin),
                Duration.ofMillis(confirmation));
    }

    static Timing of(Failover failover) {
        return switch (failover) {
            case DEFAULT -> DEFAULT;
            case FAST -> FAST;
        };
    }
}
