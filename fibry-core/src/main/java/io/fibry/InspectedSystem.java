package io.fibry;

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

/** What a system shows to those who look at it, and what its messages carry for them. */
abstract class InspectedSystem {

    /** What messages carry from their senders; null for nothing. */
    final @Nullable ContextCarrier carrier;

    /** What decides about order and time, if a test has made this system; else null. */
    final @Nullable Control control = Control.ofCurrentThread();

    private final String name;

    /** What ends the registration for JMX. */
    private final AtomicReference<AutoCloseable> jmx = new AtomicReference<>(() -> {});

    InspectedSystem(SystemOptions options) {
        name = options.name();
        carrier = options.context();
        Instruments.carry(carrier);
        Flight.begin();
    }

    abstract Inspection inspection();

    abstract MessageCounts counts();

    public abstract Counters counters();

    public final String name() {
        return name;
    }

    @Override
    public final String toString() {
        return name;
    }

    public final SystemDump dump() {
        return inspection().dump(name, this::counters);
    }

    public final List<Measure> measures() {
        return inspection().measures(this::counters, null);
    }

    public final List<Measure> measures(Predicate<? super String> named) {
        return inspection().measures(this::counters, Objects.requireNonNull(named, "named"));
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

    /** The system is complete. Tells a test of it, or registers it for JMX if that is wanted. */
    final void opened(boolean jmxIsWanted) {
        if (control != null) {
            control.opened((ActorSystem) this);
        } else {
            openJmx(jmxIsWanted);
        }
    }

    /** If this runtime has JMX. A failure does not keep the program from its work. */
    private void openJmx(boolean wanted) {
        if (wanted && ModuleLayer.boot().findModule("java.management").isPresent()) {
            Reports.guard(name, "registration for JMX", () -> jmx.set(new Jmx(name, this::dump, this::stuck)));
        }
    }

    /** Ends the registration, once. */
    final void closeJmx() {
        Reports.guard(name, "end of the registration for JMX", jmx.getAndSet(() -> {})::close);
    }
}
