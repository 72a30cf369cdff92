package io.fibry.spring;

import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.ClusterSystem;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Makes the nodes of a context leave their clusters. Web servers have answered their requests by then, which may need
 * the entities, and the actor systems have handled their messages. The resources of the entities are still open.
 */
final class NodeLifecycle extends ContextLifecycle {

    static final int PHASE = SystemLifecycle.PHASE - 1;

    private static final Logger LOG = LoggerFactory.getLogger(NodeLifecycle.class);

    private final SystemLifecycle systems;
    private final Collection<ClusterSystem> joined = new CopyOnWriteArrayList<>();
    private final Set<ClusterSystem> closed = ConcurrentHashMap.newKeySet();

    NodeLifecycle(ConfigurableApplicationContext context, SystemLifecycle systems) {
        super(context, PHASE);
        this.systems = systems;
    }

    /** Joins a cluster, and leaves it with the context, even if the context fails to start. */
    ClusterSystem join(ClusterOptions options) {
        // SIGTERM runs all hooks of the JVM at once: a hook of its own would make the node leave during the requests.
        ClusterSystem node = ClusterSystem.join(options.leaveAtExit(false));
        joined.add(node);
        return node;
    }

    @Override
    public void start() {
        if (!isRunning()) { // not after a stop without a close
            nodes().forEach(this::watch);
        }
        super.start();
    }

    private void watch(ClusterSystem node) {
        systems.leave(node.system());
        CompletableFuture<?> unused = node.removed().thenRun(() -> {
            if (!context.isClosed()) {
                LOG.error("This node is no longer in the cluster and cannot return: restart the process");
                AvailabilityChangeEvent.publish(context, LivenessState.BROKEN);
            }
        });
    }

    @Override
    void close() {
        nodes().forEach(this::close);
    }

    @Override
    public void destroy() {
        joined.forEach(this::close);
    }

    /** The nodes of this context, including nodes defined by the application. */
    private List<ClusterSystem> nodes() {
        var beans = context.getBeanFactory();
        return Arrays.stream(beans.getBeanNamesForType(ClusterSystem.class, false, false))
                .map(beans::getSingleton)
                .map(ClusterSystem.class::cast)
                .filter(Objects::nonNull) // lazy, and never used
                .toList();
    }

    private void close(ClusterSystem node) {
        if (!closed.add(node) || node.removed().isDone()) {
            return;
        }
        Duration deadline = systems.deadline();
        LOG.info("Leaving the cluster, within {}", deadline);
        if (!node.close(deadline)) {
            LOG.error("The node has not left the cluster within {}: the others remove it as a failed one", deadline);
        }
    }
}
