package io.fibry.cluster.pekko;

import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.Discovery;
import io.fibry.cluster.Failover;
import io.fibry.cluster.pekko.harness.Ports;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Nodes of clusters in this process, each with a port of its own. */
final class Nodes implements AutoCloseable {

    private static final String HOST = "127.0.0.1";

    private final List<PekkoCluster> nodes = new ArrayList<>();

    /** Returns a free address, as {@code host:port}. */
    static String freeAddress() throws IOException {
        return HOST + ":" + Ports.free(HOST);
    }

    static ClusterOptions options(String address, String... seeds) {
        return options(address, Discovery.seeds(seeds));
    }

    static ClusterOptions options(String address, Discovery discovery) {
        int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
        return ClusterOptions.of("nodes", HOST, port, discovery)
                .failover(Failover.FAST)
                .joinTimeout(Duration.ofSeconds(60));
    }

    PekkoCluster join(ClusterOptions options) {
        PekkoCluster node = PekkoCluster.join(options);
        nodes.add(node);
        return node;
    }

    /** Starts one node per seed at once, and waits until all of them have joined. */
    List<PekkoCluster> joinAll(String... seeds) {
        return joinAll(Arrays.stream(seeds).map(seed -> options(seed, seeds)).toList());
    }

    /** Starts these nodes at once, and waits until all of them have joined. */
    List<PekkoCluster> joinAll(List<ClusterOptions> options) {
        List<CompletableFuture<PekkoCluster>> joining = new ArrayList<>();
        for (ClusterOptions node : options) {
            joining.add(CompletableFuture.supplyAsync(
                    () -> PekkoCluster.join(node), task -> Thread.startVirtualThread(task)));
        }
        List<PekkoCluster> joined =
                joining.stream().map(CompletableFuture::join).toList();
        nodes.addAll(joined);
        return joined;
    }

    /** Ends a node without notice. */
    static void kill(PekkoCluster node) {
        node.pekko().terminate();
        node.pekko().getWhenTerminated().toCompletableFuture().join();
    }

    @Override
    public void close() {
        nodes.forEach(node -> node.close(Duration.ZERO));
    }
}
