package io.fibry;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How an actor system is made: {@link ActorSystem#create(SystemOptions)}. Immutable: each method with a parameter returns new
 * options, and the method of the same name without a parameter returns the value.
 */
public final class SystemOptions {

    private static final SystemOptions DEFAULTS = new SystemOptions(ThreadStrategy.virtual(), null);

    private final ThreadStrategy strategy;
    private final @Nullable ContextCarrier context;

    private SystemOptions(ThreadStrategy strategy, @Nullable ContextCarrier context) {
        this.strategy = strategy;
        this.context = context;
    }

    /** The defaults: {@link ThreadStrategy#virtual()}, and messages carry no context. */
    public static SystemOptions defaults() {
        return DEFAULTS;
    }

    /** Sets the strategy of actors whose builder names none. */
    public SystemOptions strategy(ThreadStrategy strategy) {
        return new SystemOptions(Objects.requireNonNull(strategy, "strategy"), context);
    }

    /** Sets what messages carry from their sender to their handler, or null for nothing. It costs some time and memory for each message. */
    public SystemOptions context(@Nullable ContextCarrier context) {
        return new SystemOptions(strategy, context);
    }

    public ThreadStrategy strategy() {
        return strategy;
    }

    public @Nullable ContextCarrier context() {
        return context;
    }
}
