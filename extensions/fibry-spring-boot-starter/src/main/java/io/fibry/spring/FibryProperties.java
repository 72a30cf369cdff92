package io.fibry.spring;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the starter. Invalid values throw {@link InvalidActorException}.
 *
 * @param name Name of the actor system. Defaults to 'spring.application.name', or else to 'actors'.
 * @param shutdownTimeout Time in which actors handle accepted messages when the context is closed. Defaults to
 *     'spring.lifecycle.timeout-per-shutdown-phase'.
 * @param strategy Threads of actors that do not set their own strategy.
 * @param context Contexts that messages propagate from their senders to their handlers.
 * @param tracking Whether dumps list idle anonymous actors, too.
 * @param jmx Whether to register the system with the platform's MBean server.
 */
@ConfigurationProperties("fibry")
record FibryProperties(
        @Nullable String name,
        @Nullable Duration shutdownTimeout,
        @DefaultValue("virtual") Strategy strategy,
        @DefaultValue Set<Context> context,
        @DefaultValue("false") boolean tracking,
        @DefaultValue("false") boolean jmx,
        @DefaultValue Health health,
        @DefaultValue Metrics metrics,
        @DefaultValue Observations observations,
        @DefaultValue TaskExecutor taskExecutor,
        @DefaultValue Durable durable,
        @DefaultValue Cluster cluster) {

    FibryProperties {
        if (name != null && name.isBlank()) {
            throw new InvalidActorException(
                    "The property fibry.name is blank.",
                    "Set it to the name of the actor system, or leave it out: the default is spring.application.name.");
        }
        if (shutdownTimeout != null) {
            checkTime("fibry.shutdown-timeout", shutdownTimeout);
        }
    }

    /** Checks the value of a property that is a duration. */
    static Duration checkTime(String property, Duration value) {
        if (value.isNegative()) {
            throw new InvalidActorException(
                    "The property " + property + " is negative: " + value + ".",
                    "Set it to zero or a positive duration, such as 30s, or leave it out for the default.");
        }
        return value;
    }

    /** A thread strategy of the system. */
    enum Strategy {
        /** Virtual threads, each held only while its actor has messages. */
        VIRTUAL,
        /** A platform thread for each actor. */
        PLATFORM
    }

    /** A propagated context. */
    enum Context {
        /** The map of SLF4J's MDC. */
        MDC,
        /** The contexts registered with Micrometer's context-propagation, such as traces. Requires fibry-context. */
        MICROMETER
    }

    /**
     * The health indicator.
     *
     * @param stuckAfter Time after which an actor counts as stuck that is handling one message while others wait in its
     *     mailbox.
     */
    record Health(@DefaultValue("1m") Duration stuckAfter) {
        Health {
            checkTime("fibry.health.stuck-after", stuckAfter);
        }
    }

    /**
     * The meters.
     *
     * @param actors Number of named actors with their own meters, in the order of their appearance.
     * @param latencySampling Measures the latencies of one message in so many; 0 for none.
     */
    record Metrics(
            @DefaultValue("100") int actors,
            @DefaultValue("0") int latencySampling) {
        Metrics {
            if (actors < 0) {
                throw new InvalidActorException(
                        "The property fibry.metrics.actors is negative: " + actors + ".",
                        "Set it to the maximum number of actors with their own meters, 0 for none, or leave it out.");
            }
            if (latencySampling < 0) {
                throw new InvalidActorException(
                        "The property fibry.metrics.latency-sampling is negative: " + latencySampling + ".",
                        "Set it to 64 to measure one message in 64, 1 for all, 0 for none, or leave it out.");
            }
        }
    }

    /**
     * The observations of messages.
     *
     * @param enabled Whether each handled message is an observation, and with Micrometer Tracing a span. Requires
     *     fibry-context, and propagates the contexts of 'fibry.context=micrometer'.
     * @param sampled Probability with which a message is observed whose sender has no observation.
     */
    record Observations(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("1") double sampled) {
        Observations {
            if (!(sampled >= 0 && sampled <= 1)) { // false for NaN
                throw new InvalidActorException(
                        "The property fibry.observations.sampled is " + sampled + ".",
                        "Set it to a probability from 0 to 1, or leave it out to observe all messages.");
            }
        }
    }

    /**
     * The executor of '@Async' methods.
     *
     * @param enabled Whether the actor system runs the tasks of the application, such as '@Async' methods, instead of
     *     Spring Boot's task executor.
     */
    record TaskExecutor(@DefaultValue("false") boolean enabled) {}

    /**
     * The store of durable entities.
     *
     * @param enabled Whether to define a JdbcStore on the DataSource, unless one is defined.
     * @param createSchema Whether to create the tables of the store that do not exist.
     */
    record Durable(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("false") boolean createSchema) {}

    /**
     * The node of a cluster.
     *
     * @param host Host name or address at which this node listens and other nodes reach it. If it is set, the
     *     application joins a cluster when it starts.
     * @param port Port of the node.
     * @param bindHost Local address to listen on, such as 0.0.0.0. Defaults to the host.
     * @param name Name of the cluster. Defaults to the name of the actor system.
     * @param seeds Nodes that a joining node contacts, as host:port; the same list on all nodes.
     * @param secret Secret that authenticates the nodes and encrypts their connections; the same on all nodes.
     * @param insecure Whether connections without encryption are allowed on an address that other machines reach.
     */
    record Cluster(
            @Nullable String host,
            @DefaultValue("7001") int port,
            @Nullable String bindHost,
            @Nullable String name,
            @DefaultValue List<String> seeds,
            @Nullable String secret,
            @DefaultValue("false") boolean insecure) {
        Cluster {
            if (host != null && host.isBlank()) {
                throw new InvalidActorException(
                        "The property fibry.cluster.host is blank.",
                        "Set it to the address of this node, or leave it out to join no cluster.");
            }
            if (host == null && !seeds.isEmpty()) {
                throw new InvalidActorException(
                        "The property fibry.cluster.seeds is set, but not fibry.cluster.host.",
                        "Set fibry.cluster.host to the address of this node, or leave out both to join no cluster.");
            }
            if (bindHost != null && bindHost.isBlank()) {
                throw new InvalidActorException(
                        "The property fibry.cluster.bind-host is blank.",
                        "Set it to a local address, such as 0.0.0.0, or leave it out to listen on the host.");
            }
            if (port < 1 || port > 65_535) {
                throw new InvalidActorException(
                        "The property fibry.cluster.port is " + port + ".",
                        "Set it to a number from 1 to 65535, or leave it out for 7001.");
            }
        }

        /** Omits the secret. */
        @Override
        public String toString() {
            return "Cluster[host=" + host + ", port=" + port + ", name=" + name + ", seeds=" + seeds + ']';
        }
    }
}
