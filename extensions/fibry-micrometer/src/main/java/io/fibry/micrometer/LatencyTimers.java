package io.fibry.micrometer;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.Latency;
import io.fibry.LatencyListener;
import io.fibry.dispatch.LogText;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The timers of the latencies that a system measures. A timer is added with its first time, by the thread of an actor.
 *
 * <p>As in {@link OwnMeters}, a timer that the registry has from elsewhere belongs to another system, and is neither
 * used nor removed.
 *
 * <p>A thread may still measure a time when {@link #close} has removed the listener. It adds no timer: {@link #add}
 * checks {@code closed} under the lock under which {@link #close} sets it and removes the timers.
 *
 * <p>The registry does not refer to this object, which refers to the system.
 */
final class LatencyTimers implements LatencyListener, AutoCloseable {

    /** The value of the tag {@code actor} for all actors without meters of their own, as in the other meters. */
    private static final String OTHERS = "(others)";

    private static final Logger LOG = LoggerFactory.getLogger(FibryMetrics.class);

    /** The limits of the buckets. Waits of an idle system are microseconds. */
    private static final Duration SHORTEST = Duration.ofNanos(10_000);

    private static final Duration LONGEST = Duration.ofSeconds(30);

    private record Key(Latency.Kind kind, String actor) {}

    /** A timer; null if the registry refuses it. */
    private record Entry(@Nullable Timer timer) {}

    private final ActorSystem system;
    private final MeterRegistry registry;
    private final Tags tags;
    private final @Nullable NameLimit actors;
    private final ConcurrentHashMap<Key, Entry> timers = new ConcurrentHashMap<>();
    private final ReentrantLock changes = new ReentrantLock();
    private boolean closed; // guarded by the lock, as is the next field
    private boolean hasWarned;
    private final AutoCloseable measurement;

    LatencyTimers(ActorSystem system, MeterRegistry registry, Tags tags, @Nullable NameLimit actors) {
        this.system = system;
        this.registry = registry;
        this.tags = tags;
        this.actors = actors;
        measurement = system.onLatency(this); // last: other threads may call it from now on
    }

    @Override
    public void measured(Actor<?> actor, Latency.Kind kind, long nanos) {
        var key = new Key(kind, tagOf(actor));
        Entry entry = timers.get(key);
        Timer timer = entry == null ? add(key) : entry.timer;
        if (timer != null) {
            timer.record(nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Labels and generated names are not names: an actor with one is not found. */
    private String tagOf(Actor<?> actor) {
        NameLimit limit = actors;
        if (limit == null) {
            return OTHERS;
        }
        String name = actor.name();
        return system.find(name).isPresent() && limit.admits(name) ? name : OTHERS;
    }

    private @Nullable Timer add(Key key) {
        changes.lock();
        try {
            Entry present = timers.get(key);
            if (present != null || closed) {
                return present == null ? null : present.timer;
            }
            Timer added = register(key);
            timers.put(key, new Entry(added));
            return added;
        } finally {
            changes.unlock();
        }
    }

    private @Nullable Timer register(Key key) {
        Tags all = tags.and("actor", key.actor);
        RuntimeException refusal = null;
        try {
            if (registry.find(name(key.kind)).tags(all).meters().isEmpty()) {
                return Timer.builder(name(key.kind))
                        .description(description(key.kind))
                        .tags(all)
                        .publishPercentileHistogram()
                        .minimumExpectedValue(SHORTEST)
                        .maximumExpectedValue(LONGEST)
                        .register(registry);
            }
        } catch (RuntimeException e) { // a meter of another type or with other tags, or a filter
            refusal = e;
        }
        if (!hasWarned) {
            hasWarned = true;
            LOG.warn(
                    "Timer {} {} was not added: the registry has it from elsewhere, or refuses it. Others may be"
                            + " missing, too. Systems with the same name need different values in FibryMetrics.tags",
                    name(key.kind),
                    LogText.plain(all),
                    LogText.plain(refusal));
        }
        return null;
    }

    private static String name(Latency.Kind kind) {
        return switch (kind) {
            case MAILBOX -> "fibry.message.mailbox";
            case HANDLER -> "fibry.message.handler";
            case ASK -> "fibry.ask";
        };
    }

    private static String description(Latency.Kind kind) {
        return switch (kind) {
            case MAILBOX -> "Time of sampled messages from their send until their handler begins";
            case HANDLER -> "Time of the handlers of sampled messages";
            case ASK -> "Time of sampled asks until their reply or another end";
        };
    }

    @Override
    public void close() {
        try {
            measurement.close();
        } catch (Exception e) {
            throw new IllegalStateException("the listener of latencies could not be removed", e);
        }
        changes.lock();
        try {
            closed = true;
            for (Entry entry : timers.values()) {
                if (entry.timer != null) {
                    registry.remove(entry.timer);
                }
            }
            timers.clear();
        } finally {
            changes.unlock();
        }
    }
}
