package io.fibry.cluster.pekko;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.fibry.cluster.ClusterOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The configuration of Pekko for a node. */
final class Settings {

    static final String SHARDS = "fibry.cluster.shards";

    /** The dispatcher of actors that may wait for the end of entities. */
    static final String WAITING = "fibry.cluster.waiting-dispatcher";

    /** The dispatcher of actors that only forward messages. */
    static final String SAME_THREAD = "fibry.cluster.same-thread-dispatcher";

    /** The dispatcher of actors that must run without delay. */
    static final String PROMPT = "fibry.cluster.prompt-dispatcher";

    /**
     * The time from the deadline of a drain until Pekko abandons the hand-over. If the owner of a shard fails during a
     * hand-over, the other nodes wait until this time has passed. If the owner is only slow, Pekko retries. Five
     * seconds earlier, Pekko stops the {@link ShardActor}, which still waits for the end of the drain.
     */
    private static final Duration HAND_OFF_SLACK = Duration.ofSeconds(2);

    /** The time from the deadline of a drain until a leaving node proceeds without the end of its entities. */
    private static final Duration LEAVE_SLACK = Duration.ofSeconds(20);

    private static final int FRAME_OVERHEAD = 8 << 10;

    /** The minimum frame size, which leaves room for Pekko's own messages. */
    private static final int SMALLEST_FRAME = 256 << 10;

    private Settings() {}

    static Config of(ClusterOptions options) {
        Map<String, Object> values = new HashMap<>();
        values.put("pekko.remote.artery.canonical.hostname", options.host());
        values.put("pekko.remote.artery.canonical.port", options.port());
        values.put("pekko.remote.artery.bind.hostname", options.bindHost());
        values.put("pekko.remote.artery.bind.port", options.bindPort());
        values.put("pekko.remote.artery.advanced.tcp.outbound-client-hostname", options.bindHost());
        values.put("pekko.remote.artery.transport", options.tls() == null ? "tcp" : "tls-tcp");
        values.put("pekko.remote.artery.advanced.maximum-frame-size", frameSize(options));
        values.put("pekko.remote.artery.advanced.tcp-magic", magic(options.name()));
        times(values, Timing.of(options.failover()), options.drain());
        values.put("pekko.jvm-shutdown-hooks", options.leaveAtExit());
        values.put(SHARDS, options.shards());
        values.put("fibry.cluster.failover", options.failover().name());
        values.put("fibry.cluster.drain", options.drain().toMillis());
        values.put("fibry.cluster.max-message", options.maxMessageBytes());
        return ConfigFactory.parseMap(values)
                .withFallback(ConfigFactory.parseResources(Settings.class, "cluster.conf"))
                .withFallback(ConfigFactory.defaultReference(Settings.class.getClassLoader()))
                .resolve();
    }

    private static int frameSize(ClusterOptions options) {
        return Math.max(SMALLEST_FRAME, options.maxMessageBytes() + FRAME_OVERHEAD);
    }

    /**
     * Returns the first four bytes of each connection. They cause the immediate rejection of clients that are not nodes
     * of this cluster.
     */
    private static List<String> magic(String name) {
        int hash = name.hashCode() & 0xFFFF;
        return List.of(String.format("%04x", hash));
    }

    private static void times(Map<String, Object> values, Timing timing, Duration drain) {
        String detector = "pekko.cluster.failure-detector.";
        values.put(detector + "heartbeat-interval", timing.heartbeat());
        values.put(detector + "acceptable-heartbeat-pause", timing.pause());
        values.put(detector + "expected-response-after", timing.heartbeat());
        values.put("pekko.cluster.split-brain-resolver.stable-after", timing.stableAfter());
        values.put("pekko.cluster.down-removal-margin", timing.margin());
        values.put("pekko.cluster.sharding.handoff-timeout", drain.plus(HAND_OFF_SLACK));
        String phases = "pekko.coordinated-shutdown.phases.";
        values.put(phases + "cluster-sharding-shutdown-region.timeout", drain.plus(LEAVE_SLACK));
    }
}
