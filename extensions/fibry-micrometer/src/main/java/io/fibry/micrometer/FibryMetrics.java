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
 * <p><b>Snapshots.</b> The meters read a snapshot, and take a new one if it is older than a second. So a scrape costs one
 * {@link ActorSystem#measures()}, however many meters it reads. A snapshot also adds the meters of new servers and named actors,
 * and removes those of ended ones; depending on its order, the same scrape or the next one has them.
 *
 * <p><b>Tags.</b> Each meter has the tag {@code system}, with the name of the system. Bind two systems with the same name only
 * with other {@link #tags}: of two meters with the same tags a registry keeps the first. Actors without a name have no meters of their
 * own. The numbers of named actors and of servers are limited for the life of the binding, so a stream of ever new names takes no
 * memory in the monitoring system.
 *
 * <p><b>References.</b> The registry refers to the system, until the registry is garbage or {@link #close} removes the meters. The
 * meters of a closed system keep their last values until then.
 *
 * <p>Any thread may call any method. The methods that change an option return a new object.
 */
public final class FibryMetrics implements MeterBinder, AutoCloseable {

    private final ActorSystem system;
    private final Tags tags;
    private final int maxActors;
    private final Predicate<? super String> wanted;
    private final LongSupplier clock;
    private final ConcurrentLinkedQueue<Binding> bindings = new ConcurrentLinkedQueue<>();

    FibryMetrics(ActorSystem system, Tags tags, int maxActors, Predicate<? super String> wanted, LongSupplier clock) {
        this.system = system;
        this.tags = tags;
        this.maxActors = maxActors;
        this.wanted = wanted;
        this.clock = clock;
    }

    /** Metrics of a system and its servers, without meters for single actors. */
    public static FibryMetrics of(ActorSystem system) {
        Objects.requireNonNull(system, "system");
        return new FibryMetrics(system, Tags.of("system", system.name()), 0, name -> true, System::nanoTime);
    }

    /** Adds meters for actors with a name: {@link #actors(int, Predicate)} with all names. */
    public FibryMetrics actors(int atMost) {
        return actors(atMost, name -> true);
    }

    /**
     * Adds meters for actors with a name. All actors without meters of their own share the value {@code (others)} of the tag
     * {@code actor}.
     *
     * @param atMost how many names get meters in the life of a binding: those that are seen first. 0 for none
     * @param wanted which names may get meters; must be quick, and not throw
     * @throws IllegalArgumentException if the number is negative
     */
    public FibryMetrics actors(int atMost, Predicate<? super String> wanted) {
        if (atMost < 0) {
            throw new IllegalArgumentException("the number of actors must be at least 0, not " + atMost);
        }
        return new FibryMetrics(system, tags, atMost, Objects.requireNonNull(wanted, "wanted"), clock);
    }

    /** Adds tags to all meters. One with the key {@code system} replaces the name of the system. */
    public FibryMetrics tags(Iterable<? extends Tag> more) {
        return new FibryMetrics(system, tags.and(more), maxActors, wanted, clock);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        var actors = maxActors == 0 ? null : new NameLimit(maxActors, wanted);
        var binding = new Binding(system, registry, tags, actors, clock);
        bindings.add(binding);
        binding.open();
    }

    /** Removes the meters from all registries. It does not close the system. */
    @Override
    public void close() {
        for (Binding binding = bindings.poll(); binding != null; binding = bindings.poll()) {
            binding.close();
        }
    }
}
