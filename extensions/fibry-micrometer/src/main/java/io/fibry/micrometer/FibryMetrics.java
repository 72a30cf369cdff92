package io.fibry.micrometer;

import io.fibry.ActorSystem;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Binds an actor system and its servers to meters of Micrometer.
 *
 * <pre>{@code
 * FibryMetrics.of(system).actors(20, name -> !name.startsWith("session-")).bindTo(registry);
 * }</pre>
 *
 * <p><b>Snapshots.</b> The meters read a snapshot, which is renewed when it is older than a second. A scrape therefore
 * costs one {@link ActorSystem#metrics()}, regardless of the number of meters. A new snapshot also adds the meters of
 * new servers and named actors and removes the meters of ended ones; depending on the order of reads, they appear in
 * the same scrape or in the next one.
 *
 * <p><b>Tags.</b> Each meter has the tag {@code system}, with the name of the system. Systems with the same name need
 * different values of it: {@code tags(Tags.of("system", "shop-2"))}. Otherwise the second system has no meters, and a
 * warning is logged. Actors without a name have no meters. The numbers of named actors and of servers are limited for
 * the lifetime of the binding, which bounds the memory of the monitoring system.
 *
 * <p><b>Latencies.</b> With {@link io.fibry.SystemOptions#latencySampling}, timers with histograms record the times of
 * the sampled messages in the mailbox and in the handler, and of asks. Each is added with its first time, and remains
 * until {@link #close}.
 *
 * <p><b>Counters.</b> When an actor or a server ends and another one takes its name before the next snapshot, the
 * counters continue from the last values if they would decrease otherwise.
 *
 * <p><b>The end.</b> The meters of a closed system keep their last values until {@link #close} removes them. The
 * registry refers to the system until a snapshot finds that it has ended.
 *
 * <p>All methods are safe for use by any thread. Methods that change an option return a new object.
 */
public final class FibryMetrics implements MeterBinder, AutoCloseable {

    private final ActorSystem system;
    private final Tags tags;
    private final int maxActors;
    private final Predicate<? super String> wanted;
    private final LongSupplier clock;
    private final ConcurrentLinkedQueue<Bound> bindings = new ConcurrentLinkedQueue<>();

    /** The meters in a registry. */
    private record Bound(Binding binding, LatencyTimers timers) {}

    FibryMetrics(ActorSystem system, Tags tags, int maxActors, Predicate<? super String> wanted, LongSupplier clock) {
        this.system = system;
        this.tags = tags;
        this.maxActors = maxActors;
        this.wanted = wanted;
        this.clock = clock;
    }

    /** Returns metrics of a system and its servers, without meters for single actors. */
    public static FibryMetrics of(ActorSystem system) {
        Objects.requireNonNull(system, "system");
        return new FibryMetrics(system, Tags.of("system", system.name()), 0, name -> true, System::nanoTime);
    }

    /** Adds meters for actors with a name: {@link #actors(int, Predicate)} with all names. */
    public FibryMetrics actors(int max) {
        return actors(max, name -> true);
    }

    /**
     * Adds meters for actors with a name. All actors without meters of their own share the value {@code (others)} of
     * the tag {@code actor}.
     *
     * @param max the number of names that get meters during the lifetime of a binding, in the order of their
     *     appearance; 0 for none
     * @param wanted selects the names; must be fast and must not throw
     * @throws IllegalArgumentException if the number is negative
     */
    public FibryMetrics actors(int max, Predicate<? super String> wanted) {
        if (max < 0) {
            throw new IllegalArgumentException("the number of actors must be at least 0, not " + max);
        }
        return new FibryMetrics(system, tags, max, Objects.requireNonNull(wanted, "wanted"), clock);
    }

    /**
     * Adds tags to all meters. A tag with the key {@code system} replaces the name of the system. A meter's own tag
     * with the same key, such as {@code server}, takes precedence.
     */
    public FibryMetrics tags(Iterable<? extends Tag> more) {
        return new FibryMetrics(system, tags.and(more), maxActors, wanted, clock);
    }

    /**
     * Adds the meters to a registry. A meter that the registry refuses is omitted, and a warning is logged. The system
     * may be closed.
     */
    @Override
    public void bindTo(MeterRegistry registry) {
        Objects.requireNonNull(registry, "registry");
        var actors = maxActors == 0 ? null : new NameLimit(maxActors, wanted);
        var binding = new Binding(system, registry, tags, actors, clock);
        bindings.add(new Bound(binding, new LatencyTimers(system, registry, tags, actors)));
        binding.open();
    }

    /**
     * Removes the meters that this object has added to registries. They can be added again. Objects derived from this
     * one keep their meters. Does not close the system.
     */
    @Override
    public void close() {
        for (Bound bound = bindings.poll(); bound != null; bound = bindings.poll()) {
            bound.binding.close();
            bound.timers.close();
        }
    }
}
