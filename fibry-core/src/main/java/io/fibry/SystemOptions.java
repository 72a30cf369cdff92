package io.fibry;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How an actor system is made: {@link ActorSystem#create(SystemOptions)}. Immutable: each method with a parameter returns new
 * options, and the method of the same name without a parameter returns the value.
 */
public final class SystemOptions {

    /** System properties that change a default, also for the default system. */
    private static final String TRACKING = "io.fibry.tracking";

    private static final String JMX = "io.fibry.jmx";

    private final String name;
    private final ThreadStrategy strategy;
    private final boolean tracking;
    private final boolean jmx;
    private final @Nullable ContextCarrier context;

    private SystemOptions(
            String name, ThreadStrategy strategy, boolean tracking, boolean jmx, @Nullable ContextCarrier context) {
        this.name = name;
        this.strategy = strategy;
        this.tracking = tracking;
        this.jmx = jmx;
        this.context = context;
    }

    /**
     * The defaults: the name {@code actors}, {@link ThreadStrategy#virtual()}, no tracking, no JMX, no context. The system properties
     * {@code io.fibry.tracking=true} and {@code io.fibry.jmx=true} change two of them, for a program that is to be looked into
     * as it is.
     */
    public static SystemOptions defaults() {
        return new SystemOptions(
                "actors", ThreadStrategy.virtual(), Boolean.getBoolean(TRACKING), Boolean.getBoolean(JMX), null);
    }

    /**
     * Sets the name of the system, for people who look at it. It need not be unique.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public SystemOptions name(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a system's name must not be blank");
        }
        return new SystemOptions(name, strategy, tracking, jmx, context);
    }

    /** Sets the strategy of actors whose builder names none. */
    public SystemOptions strategy(ThreadStrategy strategy) {
        return new SystemOptions(name, Objects.requireNonNull(strategy, "strategy"), tracking, jmx, context);
    }

    /**
     * Sets whether the system keeps weak references to the actors that it need not know, so that dumps count and list them while
     * they are idle. They are still garbage when nobody refers to them. Each such actor costs about 40 bytes more, and takes
     * somewhat longer to make.
     */
    public SystemOptions tracking(boolean tracking) {
        return new SystemOptions(name, strategy, tracking, jmx, context);
    }

    /**
     * Sets whether the system registers an {@link ActorSystemMXBean} with the platform's MBean server, until it is closed. Has no
     * effect in a Java runtime without the module {@code java.management}.
     */
    public SystemOptions jmx(boolean jmx) {
        return new SystemOptions(name, strategy, tracking, jmx, context);
    }

    /**
     * Sets what messages carry from their sender to their handler, or null for nothing. It costs some time and memory for each
     * message.
     */
    public SystemOptions context(@Nullable ContextCarrier context) {
        return new SystemOptions(name, strategy, tracking, jmx, context);
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
}
