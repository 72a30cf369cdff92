package io.fibry.spring;

import io.fibry.ActorSystem;
import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.ClusterStats;
import io.fibry.cluster.ClusterSystem;
import io.fibry.cluster.Member;
import io.fibry.cluster.spi.ClusterProvider;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Nodes without a network, which remember their options and their leave. */
public final class FakeCluster implements ClusterProvider {

    /** The nodes of the running test; tests run one after the other in their JVM. */
    static final List<Node> NODES = new CopyOnWriteArrayList<>();

    /** A node that has joined. */
    static final class Node {
        final ClusterOptions options;
        final ActorSystem system = ActorSystem.create();
        final CompletableFuture<Void> removed = new CompletableFuture<>();
        volatile boolean ready = true;
        volatile Runnable onClose = () -> {};
        private volatile boolean left;

        Node(ClusterOptions options) {
            this.options = options;
        }

        boolean hasLeft() {
            return left;
        }

        @SuppressWarnings("ReferenceEquality") // a proxy equals itself only
        private @Nullable Object call(Object proxy, Method method, Object @Nullable [] arguments) {
            return switch (method.getName()) {
                case "isReady" -> ready;
                case "removed" -> removed;
                case "system" -> system;
                case "members" -> List.of(new Member("10.0.0.1", 7001, 1, Member.State.UP));
                case "stats" -> new ClusterStats(20, 5, 0, 0, 0, 0, 0);
                case "hashCode" -> System.identityHashCode(proxy);
                case "equals" -> arguments != null && proxy == arguments[0];
                case "close" -> {
                    onClose.run();
                    left = true;
                    system.close();
                    removed.complete(null);
                    yield arguments == null ? null : true;
                }
                default -> method.getName();
            };
        }
    }

    static ClusterSystem node(Node node) {
        return (ClusterSystem) Proxy.newProxyInstance(
                ClusterSystem.class.getClassLoader(), new Class<?>[] {ClusterSystem.class}, node::call);
    }

    @Override
    public ClusterSystem join(ClusterOptions options) {
        var node = new Node(options);
        NODES.add(node);
        return node(node);
    }
}
