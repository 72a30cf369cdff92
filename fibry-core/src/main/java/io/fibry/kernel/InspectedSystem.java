package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.ActorInfo;
import io.fibry.ActorSystem;
import io.fibry.ContextCarrier;
import io.fibry.DeadLetter;
import io.fibry.Incident;
import io.fibry.Latency;
import io.fibry.LatencyListener;
import io.fibry.Metric;
import io.fibry.SystemDump;
import io.fibry.SystemOptions;
import io.fibry.SystemStats;
import io.fibry.dispatch.Control;
import io.fibry.dispatch.Durations;
import io.fibry.flight.Flight;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Inspection and instrumentation of a system. */
abstract class InspectedSystem implements MessageInstruments {

    /** Propagates the context of senders; null if there is none. */
    final @Nullable ContextCarrier carrier;

    /** Controls order and time, if this system was made in a controlled test; else null. */
    final @Nullable Control control = Control.ofCurrentThread();

    private final String name;

    private final Taps taps = new Taps();

    private final int latencyOneIn;

    /** Null if {@link SystemOptions#latencySampling} is off. */
    private final @Nullable Latencies latencies;

    /** Ends the JMX registration. */
    private final AtomicReference<AutoCloseable> jmx = new AtomicReference<>(() -> {});

    InspectedSystem(SystemOptions options) {
        name = options.name();
        carrier = options.context();
        Instrumentation.carry(carrier);
        Flight.begin();
        latencyOneIn = options.latencySampling();
        latencies = latencyOneIn == 0 ? null : new Latencies(this::owns);
        if (latencies != null) {
            AutoCloseable unused = tap(latencies.tap(), latencyOneIn); // as long as the system
        }
    }

    @Override
    public final @Nullable ContextCarrier carrier() {
        return carrier;
    }

    @Override
    public final @Nullable Sampling sampling() {
        return taps.sampling();
    }

    /** Adds a tap that receives one message in {@code oneIn}. Returns a handle whose {@code close} removes it. */
    public final AutoCloseable tap(MessageTap tap, int oneIn) {
        return taps.add(new Sampling.Tap(new GuardedTap(tap), oneIn, null));
    }

    /**
     * Adds a tap that receives all messages of an actor, which is not a handle of it. Returns a handle whose
     * {@code close} removes it.
     */
    public final AutoCloseable tap(MessageTap tap, Actor<?> actor) {
        return taps.add(new Sampling.Tap(new GuardedTap(tap), 1, actor));
    }

    public final List<Latency> latencies() {
        return latencies == null ? List.of() : latencies.snapshot();
    }

    public final AutoCloseable onLatency(LatencyListener listener) {
        Objects.requireNonNull(listener, "listener");
        return latencyOneIn == 0 ? () -> {} : tap(new LatencyTap(listener), latencyOneIn);
    }

    /** Whether an actor has this name now. */
    abstract boolean owns(String name, Actor<?> actor);

    /** Called when a name has become free. */
    final void forgetLatencies(String name) {
        if (latencies != null) {
            latencies.forget(name);
        }
    }

    abstract Inspection inspection();

    abstract MessageCounts counts();

    public abstract SystemStats stats();

    public final String name() {
        return name;
    }

    @Override
    public final String toString() {
        return name;
    }

    public final SystemDump dump() {
        return inspection().dump(name, this::stats);
    }

    public final List<Metric> metrics() {
        return inspection().metrics(this::stats, null);
    }

    public final List<Metric> metrics(Predicate<? super String> named) {
        return inspection().metrics(this::stats, Objects.requireNonNull(named, "named"));
    }

    public final Stream<ActorInfo> actors() {
        return inspection().actors();
    }

    public final List<ActorInfo> stuck(Duration longerThan) {
        return inspection().stuck(Durations.notNegative("longerThan", longerThan));
    }

    public final void onDeadLetter(Consumer<? super DeadLetter> handler) {
        counts().setHandler(Objects.requireNonNull(handler, "handler"));
    }

    public final AutoCloseable onIncident(Consumer<? super Incident> listener) {
        return counts().incidents.add(Objects.requireNonNull(listener, "listener"));
    }

    /** Called when the system is constructed. Announces it to the control, or registers it for JMX if requested. */
    final void opened(boolean jmxIsWanted) {
        if (control != null) {
            control.opened((ActorSystem) this);
        } else {
            openJmx(jmxIsWanted);
        }
    }

    /** Registers the system if the runtime has JMX. A failure is only logged. */
    private void openJmx(boolean wanted) {
        if (wanted && ModuleLayer.boot().findModule("java.management").isPresent()) {
            KernelLog.guard(name, "registration for JMX", () -> jmx.set(new Jmx(name, this::dump, this::stuck)));
        }
    }

    /** Ends the registration, once. */
    final void closeJmx() {
        KernelLog.guard(name, "end of the registration for JMX", jmx.getAndSet(() -> {})::close);
    }
}
