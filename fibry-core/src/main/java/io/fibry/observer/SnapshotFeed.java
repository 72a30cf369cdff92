package io.fibry.observer;

import io.fibry.ActorInfo;
import io.fibry.ActorSystem;
import io.fibry.Metric;
import io.fibry.SystemDump;
import io.fibry.dispatch.Durations;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots of a system, for all open pages. It has no thread and no timer: the first page that asks after the time
 * of the next snapshot takes it, and the others get the same one. Without a page no snapshot is taken, and the values
 * kept for rates are dropped with the last page. Each page waits by itself between two snapshots, so no page depends on
 * a wake-up by another one.
 *
 * <p>An expensive snapshot, for instance of a million actors, is followed by a pause ten times as long.
 */
final class SnapshotFeed {

    private static final int PAUSE_FACTOR = 10;

    /**
     * A snapshot of the system.
     *
     * @param number identifies the snapshot
     * @param overview the first page, as JSON
     * @param ids the requested actors
     * @param actors the requested actors that were found, as JSON
     */
    record Snapshot(long number, String overview, Set<String> ids, Map<String, String> actors) {}

    private final ActorSystem system;
    private final Supplier<String> ownName;
    private final IncidentLog incidents;
    private final long intervalNanos;
    private final boolean control;
    private final LongSupplier clock;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Integer> watched = new HashMap<>(); // this and the rest: guarded by the lock
    private int pages;
    private RateMeter rates = new RateMeter();
    private SnapshotCycles cycles = new SnapshotCycles();
    private @Nullable Snapshot last;
    private long nextNanos;
    private long taken;

    SnapshotFeed(ActorSystem system, Supplier<String> ownName, IncidentLog incidents, ObserverOptions options) {
        this(system, ownName, incidents, options, System::nanoTime);
    }

    /** Tests have a clock of their own. */
    SnapshotFeed(
            ActorSystem system,
            Supplier<String> ownName,
            IncidentLog incidents,
            ObserverOptions options,
            LongSupplier clock) {
        this.system = system;
        this.ownName = ownName;
        this.incidents = incidents;
        intervalNanos = Durations.limitedNanos(options.interval());
        control = options.controlToken() != null;
        this.clock = clock;
    }

    IncidentLog incidents() {
        return incidents;
    }

    /** The number of snapshots. */
    long taken() {
        lock.lock();
        try {
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** How many pages are open. */
    int pages() {
        lock.lock();
        try {
            return pages;
        } finally {
            lock.unlock();
        }
    }

    /** A page is open. It has to call {@link #close} with the same id. */
    void open(@Nullable String id) {
        lock.lock();
        try {
            pages++;
            if (id != null) {
                watched.merge(id, 1, Integer::sum);
            }
        } finally {
            lock.unlock();
        }
    }

    void close(@Nullable String id) {
        lock.lock();
        try {
            pages--;
            if (id != null) {
                watched.computeIfPresent(id, (key, count) -> count == 1 ? null : count - 1);
            }
            if (pages == 0) {
                rates = new RateMeter();
                cycles = new SnapshotCycles();
                last = null;
            }
        } finally {
            lock.unlock();
        }
    }

    /** The last snapshot, or a new one if it is time. Between {@link #open} and {@link #close}. */
    Snapshot snapshot() {
        lock.lock();
        try {
            Snapshot snapshot = last;
            long now = clock.getAsLong();
            if (snapshot == null || now - nextNanos >= 0) {
                snapshot = take(now);
                last = snapshot;
            }
            return snapshot;
        } finally {
            lock.unlock();
        }
    }

    /** How long it is until the next snapshot. */
    Duration pause() {
        lock.lock();
        try {
            long left = nextNanos - clock.getAsLong();
            return Duration.ofNanos(Math.clamp(left, TimeUnit.MILLISECONDS.toNanos(10), Long.MAX_VALUE));
        } finally {
            lock.unlock();
        }
    }

    private Snapshot take(long start) {
        taken++;
        String own = ownName.get();
        Set<String> ids = Set.copyOf(watched.keySet());
        SystemDump dump = system.dump();
        ActorSample sample = ActorSample.take(system, ids, own);
        List<ActorInfo> known = Overview.known(dump, sample).toList();
        rates.add(dump, known, start);
        List<List<String>> confirmed = cycles.confirmed(known);
        List<Metric> metrics = ServerMetrics.take(system, own);
        long cost = clock.getAsLong() - start;
        nextNanos = start + Math.max(intervalNanos, PAUSE_FACTOR * cost);
        String overview =
                Overview.json(dump, sample, rates, confirmed, metrics, own, TimeUnit.NANOSECONDS.toMillis(cost));
        Map<String, String> actors = new HashMap<>();
        sample.watched()
                .forEach((id, actor) -> actors.put(id, Actors.page(actor, sample, rates, control && hasName(actor))));
        return new Snapshot(taken, overview, ids, actors);
    }

    /** A page can only stop an actor that the system finds by its name. */
    private boolean hasName(ActorInfo actor) {
        return !actor.name().isBlank() && system.find(actor.name()).isPresent();
    }
}
