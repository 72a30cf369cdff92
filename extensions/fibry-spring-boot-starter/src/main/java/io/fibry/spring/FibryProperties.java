package io.fibry.spring;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the starter.
 *
 * @param name Name of the actor system. Defaults to 'spring.application.name', or else to 'actors'.
 * @param shutdownTimeout Time in which the actors handle what they have accepted, when the context is closed. Defaults to
 *     'spring.lifecycle.timeout-per-shutdown-phase'.
 * @param context What messages carry from their senders to their handlers.
 * @param tracking Whether the system knows idle actors that hold nothing, so that dumps list them.
 * @param jmx Whether to register the system with the platform's MBean server.
 */
@ConfigurationProperties("fibry")
record FibryProperties(
        @Nullable String name,
        @Nullable Duration shutdownTimeout,
        @DefaultValue Set<Context> context,
        @DefaultValue("false") boolean tracking,
        @DefaultValue("false") boolean jmx,
        @DefaultValue Health health,
        @DefaultValue Metrics metrics,
        @DefaultValue TaskExecutor taskExecutor) {

    /** What messages carry. */
    enum Context {
        /** The map of SLF4J's MDC. */
        MDC,
        /** What is registered with Micrometer's context-propagation, such as traces. Needs fibry-context. */
        MICROMETER
    }

    /**
     * The health indicator.
     *
     * @param stuckAfter Time after which an actor is stuck that is still at work on one message while others wait in its mailbox.
     */
    record Health(@DefaultValue("1m") Duration stuckAfter) {}

    /**
     * The meters.
     *
     * @param actors How many named actors get meters of their own: those that are seen first.
     */
    record Metrics(@DefaultValue("100") int actors) {}

    /**
     * The executor of '@Async' methods.
     *
     * @param enabled Whether the actor system runs the tasks of the application, such as '@Async' methods, in place of Spring Boot's
     *     task executor.
     */
    record TaskExecutor(@DefaultValue("false") boolean enabled) {}
}
