package io.fibry.kernel;

import io.fibry.ActorInfo;
import io.fibry.Metric;
import io.fibry.SystemDump;
import io.fibry.SystemStats;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.PoolDispatcher;
import io.fibry.dispatch.ScheduledActor;
import io.fibry.dispatch.WorkerScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Enumerates the actors of a system. The actors do not cooperate: this class reads the registry, the dispatchers and,
 * if the system has one, the {@link WeakActorSet}.
 */
final class Inspection {

    private final ActorRegistry registry;
    private final Set<ActorThread> platformThreads;
    private final WorkerScheduler scheduler;
    private final PoolDispatcher.Work poolWork;
    private final MessageCounts counts;
    private final @Nullable WeakActorSet tracking;
    private final MessageAges ages = new MessageAges(System::nanoTime);

    Inspection(
            ActorRegistry registry,
            Set<ActorThread> platformThreads,
            WorkerScheduler scheduler,
            PoolDispatcher.Work poolWork,
            MessageCounts counts,
            boolean tracking) {
        this.registry = registry;
        this.platformThreads = platformThreads;
        this.scheduler = scheduler;
        this.poolWork = poolWork;
        this.counts = counts;
        this.tracking = tracking ? new WeakActorSet() : null;
    }

    /** Called when an actor has been made that the registry does not know. */
    void made(ActorState<?> actor) {
        WeakActorSet t = tracking;
        if (t != null) {
            t.add(actor);
        }
    }

    SystemDump dump(String system, Supplier<SystemStats> counters) {
        var census = new SystemTotals();
        all().forEach(census::add);
        return new SystemDump(
                system,
                Instant.now(),
                tracking != null,
                census.totals(scheduler.workers(), scheduler.workersStarted()),
                counters.get(),
                census.longestRunning(),
                census.fullest(),
                census.mostRestarted());
    }

    /**
     * Returns the metrics of the system and its servers; and, if there is a filter, of the actors whose names it
     * accepts and of all others.
     */
    List<Metric> metrics(Supplier<SystemStats> counters, @Nullable Predicate<? super String> named) {
        List<ActorState<?>> all = all();
        var census = new SystemTotals();
        Map<ActorState<?>, Long> waiting = new LinkedHashMap<>();
        for (ActorState<?> actor : all) {
            long messages = census.add(actor);
            if (messages > 0) {
                waiting.put(actor, messages);
            }
        }
        var measurement = new MetricReader(waiting, ages.look(waiting.keySet()), named == null ? name -> false : named);
        measurement.system(
                census.totals(scheduler.workers(), scheduler.workersStarted()),
                counters.get(),
                counts,
                census.longestHandler());
        all.forEach(measurement::server);
        if (named != null) {
            all.forEach(measurement::actor);
            measurement.others();
        }
        return measurement.metrics();
    }

    Stream<ActorInfo> actors() {
        return all().stream().map(ActorSnapshot::info);
    }

    /** Passes each known living actor to the action, once. Visits each actor only here: a million exceed any cache. */
    void forEach(Consumer<? super ActorState<?>> action) {
        for (ActorState<?> actor : known()) {
            if (!actor.hasEnded()) {
                action.accept(actor);
            }
        }
    }

    /** Returns the actors that have been handling one message for longer than this, longest first. */
    List<ActorInfo> stuck(Duration longerThan) {
        Objects.requireNonNull(longerThan, "longerThan");
        Set<ActorState<?>> running = running();
        known().stream().filter(actor -> actor.suspended() != null).forEach(running::add);
        return running.stream()
                .filter(actor -> ActorSnapshot.runningFor(actor).compareTo(longerThan) > 0)
                .map(ActorSnapshot::info)
                .filter(info -> info.runningFor().compareTo(longerThan) > 0) // the turn may have ended in the meantime
                .sorted(Comparator.comparing(ActorInfo::runningFor).reversed())
                .toList();
    }

    /** All known living actors, each once. */
    private List<ActorState<?>> all() {
        List<ActorState<?>> all = known();
        all.removeIf(ActorState::hasEnded);
        return all;
    }

    /** All known actors, each once. Some of them may have ended. */
    private List<ActorState<?>> known() {
        List<ActorState<?>> all = registry.roots();
        for (int i = 0; i < all.size(); i++) {
            Lifecycle l = all.get(i).lifecycleIfAny();
            if (l != null && l.childrenIfAny() != null) {
                all.addAll(l.livingChildren());
            }
        }
        Set<ActorState<?>> others = running();
        scheduler.forEachReady(actor -> others.add((ActorState<?>) actor));
        others.removeIf(Inspection::isRegistered);
        all.addAll(others);
        if (tracking != null) {
            tracking.forEach(actor -> {
                if (!isRegistered(actor) && !others.contains(actor)) {
                    all.add(actor);
                }
            });
        }
        return all;
    }

    /**
     * Whether the registry or a parent knows the actor. Read without the lock that guards it: a hint that avoids
     * duplicates.
     */
    private static boolean isRegistered(ActorState<?> actor) {
        Lifecycle l = actor.lifecycleIfAny();
        return l != null && l.next != null;
    }

    private Set<ActorState<?>> running() {
        Set<ActorState<?>> running = Collections.newSetFromMap(new IdentityHashMap<>());
        Consumer<ScheduledActor> add = actor -> running.add((ActorState<?>) actor);
        scheduler.forEachRunning(add);
        poolWork.forEachRunning(add);
        new ArrayList<>(platformThreads).forEach(runner -> runner.forEachCurrent(add));
        return running;
    }
}
