package io.fibry;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** What a system shows to those who look at it. */
abstract class InspectedSystem {

    private final String name;

    /** What ends the registration for JMX. */
    private final AtomicReference<AutoCloseable> jmx = new AtomicReference<>(() -> {});

    InspectedSystem(SystemOptions options) {
        name = options.name();
    }

    abstract Inspection inspection();

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

    public final Stream<ActorInfo> actors() {
        return inspection().actors();
    }

    public final List<ActorInfo> stuck(Duration longerThan) {
        return inspection().stuck(longerThan);
    }

    /** Registers the system for JMX, if this runtime has it. A failure does not keep the program from its work. */
    final void openJmx() {
        if (ModuleLayer.boot().findModule("java.management").isPresent()) {
            Reports.guard(name, "registration for JMX", () -> jmx.set(new Jmx(name, this::dump, this::stuck)));
        }
    }

    /** Ends the registration, once. */
    final void closeJmx() {
        Reports.guard(name, "end of the registration for JMX", jmx.getAndSet(() -> {})::close);
    }
}
