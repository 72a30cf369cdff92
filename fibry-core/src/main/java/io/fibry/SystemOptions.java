package io.fibry;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options of an actor system: see {@link ActorSystem#create(SystemOptions)}. Immutable: each method with a parameter
 * returns new options, and the method of the same name without a parameter returns the value.
 */
public final class SystemOptions {

    /** A system property that changes a default, also for the default system, like the next one. */
    private static final String TRACKING = "io.fibry.tracking";

    private static final String JMX = "io.fibry.jmx";

    private final String name;
    private final ThreadStrategy strategy;
    private final boolean tracking;
    private final boolean jmx;
    private final @Nullable ContextCarrier context;
    private final int latencySampling;

    private SystemOptions(
            String name,
            ThreadStrategy strategy,
            boolean tracking,
            boolean jmx,
            @Nullable ContextCarrier context,
            int latencySampling) {
        this.name = name;
        this.strategy = strategy;
        this.tracking = tracking;
        this.jmx = jmx;
        this.context = context;
        this.latencySampling = latencySampling;
    }

    /**
     * Returns the defaults: the name {@code actors}, {@link ThreadStrategy#virtual()}, no tracking, no JMX, no context,
     * no measured latencies.
     * The system properties {@code io.fibry.tracking=true} and {@code io.fibry.jmx=true} enable tracking and JMX, to
     * diagnose a program without changing its code.
     */
    public static SystemOptions defaults() {
        return new SystemOptions(
                "actors", ThreadStrategy.virtual(), Boolean.getBoolean(TRACKING), Boolean.getBoolean(JMX), null, 0);
    }

    /**
     * Sets the name of the system, used for diagnosis. It need not be unique.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public SystemOptions name(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a system's name must not be blank");
        }
        return new SystemOptions(name, strategy, tracking, jmx, context, latencySampling);
    }

    /** Sets the strategy of actors whose builder does not set one. */
    public SystemOptions strategy(ThreadStrategy strategy) {
        return new SystemOptions(
                name, Objects.requireNonNull(strategy, "strategy"), tracking, jmx, context, latencySampling);
    }

    /**
     * Sets whether the system keeps weak references to the actors that it would not know while they are idle, so that
     * dumps count and list them. These actors are still eligible for garbage collection. Each of them uses about 40
     * bytes more, and takes slightly longer to make.
     */
    public SystemOptions tracking(boolean tracking) {
        return new SystemOptions(name, strategy, tracking, jmx, context, latencySampling);
    }

    /**
     * Sets whether the system registers an {@link ActorSystemMXBean} with the platform's MBean server, until it is
     * closed. Has no effect in a Java runtime without the module {@code java.management}.
     */
    public SystemOptions jmx(boolean jmx) {
        return new SystemOptions(name, strategy, tracking, jmx, context, latencySampling);
    }

    /**
     * Sets the carrier that propagates context from senders to handlers, or null for none. A carrier costs some time
     * and memory for each message.
     */
    public SystemOptions context(@Nullable ContextCarrier context) {
        return new SystemOptions(name, strategy, tracking, jmx, context, latencySampling);
    }

    /**
     * Sets the share of messages whose latencies are measured: one in {@code oneIn}, chosen at random. 1 measures all
     * messages; 0, the default, none. A chosen message costs three reads of the clock, and every message a random
     * number. For the results, see {@link ActorSystem#latencies()}.
     *
     * <p>Timer messages and other messages that an actor sends to itself through its context are not measured.
     *
     * @throws IllegalArgumentException if the number is negative
     */
    public SystemOptions latencySampling(int oneIn) {
        if (oneIn < 0) {
            throw new IllegalArgumentException(
                    "the sampling must be one in 1 or more messages, or 0 for none, not " + oneIn);
        }
        return new SystemOptions(name, strategy, tracking, jmx, context, oneIn);
    }

    public String name() {
        return name;
    }

    public ThreadStrategy strategy() {
        return strategy;
    }

    public boolean tracking() {
        return tracking;
    }

    public boolean jmx() {
        return jmx;
    }

    public @Nullable ContextCarrier context() {
        return context;
    }

    public int latencySampling() {
        return latencySampling;
    }
}
