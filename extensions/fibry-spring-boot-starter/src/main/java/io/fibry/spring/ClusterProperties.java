package io.fibry.spring;

import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.Discovery;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Creates the options of a node from the properties {@code fibry.cluster}. */
final class ClusterProperties {

    private ClusterProperties() {}

    /**
     * Returns the options.
     *
     * @param discovery the bean of the application, or null
     * @param application the name of the cluster if it has no property
     * @throws InvalidActorException if a property is invalid, or missing
     */
    static ClusterOptions options(
            FibryProperties.Cluster properties, @Nullable Discovery discovery, String application) {
        String host = properties.host();
        if (host == null) {
            throw new IllegalStateException("defined only with fibry.cluster.host");
        }
        Discovery nodes = discovery(properties.seeds(), discovery);
        String name = properties.name() == null ? application : properties.name();
        ClusterOptions unused = valid(
                "fibry.cluster.host",
                () -> ClusterOptions.of("any", host, properties.port(), nodes),
                "Set it to the name or address at which the other nodes reach this one.");
        ClusterOptions options = valid(
                "fibry.cluster.name",
                () -> ClusterOptions.of(name, host, properties.port(), nodes),
                "Set it to letters, digits, - and _, the same on all nodes.");
        if (properties.bindHost() != null) {
            options = options.bind(properties.bindHost(), properties.port());
        }
        return secured(options.insecure(properties.insecure()), properties);
    }

    private static Discovery discovery(List<String> seeds, @Nullable Discovery bean) {
        if (bean != null && !seeds.isEmpty()) {
            throw new InvalidActorException(
                    "There are both the property fibry.cluster.seeds and a bean of the type Discovery.",
                    "Leave out one of them.");
        }
        if (bean == null && seeds.isEmpty()) {
            throw new InvalidActorException(
                    "The property fibry.cluster.seeds is missing: the node does not know how to find the others.",
                    "Set it to the same list of nodes on all nodes, such as 10.0.0.1:7001, or define a bean of the"
                            + " type Discovery.");
        }
        return bean != null
                ? bean
                : valid(
                        "fibry.cluster.seeds",
                        () -> Discovery.seeds(seeds.toArray(String[]::new)),
                        "Set it to a list of nodes with their ports, such as 10.0.0.1:7001,10.0.0.2:7001.");
    }

    private static ClusterOptions secured(ClusterOptions options, FibryProperties.Cluster properties) {
        String secret = properties.secret();
        if (secret != null) {
            return valid(
                    "fibry.cluster.secret",
                    () -> options.secret(secret),
                    "Set it to the output of 'openssl rand -hex 32', the same on all nodes.");
        }
        return valid(
                "fibry.cluster.host",
                () -> {
                    options.checkSecurity();
                    return options;
                },
                "Set fibry.cluster.secret to the output of 'openssl rand -hex 32', the same on all nodes; or, in a"
                        + " network that is closed to others, fibry.cluster.insecure=true.");
    }

    private static <T> T valid(String property, Supplier<T> creation, String action) {
        try {
            return creation.get();
        } catch (IllegalArgumentException e) {
            throw new InvalidActorException(
                    "The property " + property + " is not valid: " + e.getMessage() + ".", action);
        }
    }
}
