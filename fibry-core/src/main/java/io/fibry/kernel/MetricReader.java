package io.fibry.kernel;

import io.fibry.Metric;
import io.fibry.MetricSource;
import io.fibry.SystemDump;
import io.fibry.SystemStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Computes the metrics of a system, of its servers and, if requested, of its named actors. Confined to one thread. */
final class MetricReader {

    /**
     * The value of the tag {@code actor} for all actors without metrics of their own, including actors of this name.
     */
    static final String OTHERS = "(others)";

    private static final String SECONDS = "seconds";

    private static final double NANOS = Duration.ofSeconds(1).toNanos();
    private static final double MILLIS = Duration.ofSeconds(1).toMillis();

    private final List<Metric> metrics = new ArrayList<>();
    private final Map<ActorState<?>, Long> waiting;
    private final Map<ActorState<?>, Long> ages;
    private final Predicate<? super String> wanted;

    /**
     * The names with metrics of their own. Two actors may briefly have the same name: an ending actor frees it before
     * its end.
     */
    private final Set<String> actors = new HashSet<>();

    private final Set<String> servers = new HashSet<>();

    /** The sum for the actors without metrics of their own; the next two are maxima. */
    private long waitingAtOthers;

    private long oldestAtOthers;
    private long longestOfOthers;

    /**
     * Takes the numbers of messages, and the ages in nanoseconds, of the actors that have messages; and a filter of the
     * names with metrics of their own.
     */
    MetricReader(Map<ActorState<?>, Long> waiting, Map<ActorState<?>, Long> ages, Predicate<? super String> wanted) {
        this.waiting = waiting;
        this.ages = ages;
        this.wanted = wanted;
    }

    /** Returns the metrics, without a copy of what may be a long list. Call it last. */
    List<Metric> metrics() {
        return Collections.unmodifiableList(metrics);
    }

    void system(SystemDump.Totals t, SystemStats c, MessageCounts counts, Duration longestHandler) {
        state("idle", t.idle());
        state("ready", t.ready());
        state("running", t.running());
        state("waiting", t.waiting());
        state("paused", t.paused());
        state("stopping", t.stopping());
        end("handled", c.handled());
        end("refused", c.refused());
        end("dropped", c.dropped());
        end("dead", c.dead());
        source("sent", c.handledBySource().sent());
        source("timer", c.handledBySource().timers());
        source("pipe", c.handledBySource().piped());
        source("internal", c.handledBySource().internal());
        gauge("fibry.messages.waiting", t.mailboxSizes(), "Messages that wait in mailboxes");
        time(
                "fibry.messages.oldest",
                Duration.ofNanos(oldest()),
                "How long the oldest message has been waiting, by sampling");
        time("fibry.handlers.longest", longestHandler, "Age of the longest-running handler");
        counter("fibry.failures", counts.failures.sum(), "Exceptions of behaviors");
        counter("fibry.restarts", counts.restarts.sum(), "Restarts of actors");
        counter("fibry.ticks.missed", counts.missedTicks.sum(), "Ticks of periodic timers that were skipped");
        gauge("fibry.workers", t.workers(), "Virtual threads that run actors now");
        counter("fibry.workers.started", t.workersStarted(), "Virtual threads that were started to run actors");
    }

    private long oldest() {
        return ages.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    private void state(String state, long actors) {
        metrics.add(
                Metric.gauge("fibry.actors", actors, "Known actors, by state").tagged("state", state));
    }

    private void end(String end, long messages) {
        metrics.add(Metric.counter("fibry.messages", messages, "Messages, by outcome")
                .tagged("end", end));
    }

    private void source(String source, long messages) {
        metrics.add(Metric.counter("fibry.messages.handled", messages, "Handled messages, by source")
                .tagged("source", source));
    }

    private void gauge(String name, long value, String description) {
        metrics.add(Metric.gauge(name, value, description));
    }

    private void time(String name, Duration value, String description) {
        metrics.add(Metric.time(name, value, description));
    }

    private void counter(String name, long value, String description) {
        metrics.add(Metric.counter(name, value, description));
    }

    // ---- servers

    /**
     * Adds the metrics of a {@link MetricSource} actor that has a name or a label: generated names would be unbounded
     * tag values.
     */
    void server(ActorState<?> actor) {
        MetricSource source = source(actor);
        Lifecycle l = actor.lifecycleIfAny();
        if (source != null && l != null && (l.name == null || servers.add(l.name))) {
            KernelLog.guard(actor, "method metrics()", () -> {
                String name = l.nameOrLabel();
                if (name != null) {
                    metrics.addAll(source.metrics().stream()
                            .map(metric -> metric.tagged("server", name))
                            .toList());
                }
            });
        }
    }

    private static @Nullable MetricSource source(ActorState<?> actor) {
        Lifecycle l = actor.lifecycleIfAny();
        RareState rareState = l == null ? null : l.rareStateIfAny();
        return rareState != null && rareState.handle instanceof MetricSource source ? source : null;
    }

    /**
     * The time for which the actor has been handling its message. Zero for a server, whose handler runs all its life
     * and would hide every slow handler.
     */
    static long handlerMillis(ActorState<?> actor) {
        return source(actor) != null ? 0 : Math.max(0, ActorSnapshot.runningMillis(actor));
    }

    // ---- actors

    /** Called for each actor: of 100,000 actors, most are idle, and have no entry in a map. */
    void actor(ActorState<?> actor) {
        long messages = waiting.isEmpty() ? 0 : waiting.getOrDefault(actor, 0L);
        long oldest = messages == 0 ? 0 : ages.getOrDefault(actor, 0L);
        long millis = handlerMillis(actor);
        String name = nameIfWanted(actor);
        if (name == null) {
            waitingAtOthers += messages;
            oldestAtOthers = Math.max(oldestAtOthers, oldest);
            longestOfOthers = Math.max(longestOfOthers, millis);
            return;
        }
        Map<String, String> tag = Map.of("actor", name);
        gauges(tag, messages, oldest, millis);
        counter(
                tag,
                "fibry.actor.handled",
                ActorSnapshot.handled(actor).total(),
                "Messages that the actor has handled");
        counter(tag, "fibry.actor.failures", ActorSnapshot.failures(actor), "Exceptions of the actor's behavior");
        counter(tag, "fibry.actor.restarts", ActorSnapshot.restarts(actor), "Restarts of the actor");
    }

    void others() {
        gauges(Map.of("actor", OTHERS), waitingAtOthers, oldestAtOthers, longestOfOthers);
    }

    private @Nullable String nameIfWanted(ActorState<?> actor) {
        Lifecycle l = actor.lifecycleIfAny();
        String name = l == null ? null : l.name;
        return name != null && !name.equals(OTHERS) && wanted.test(name) && actors.add(name) ? name : null;
    }

    /**
     * The metrics of an actor share the map with its tag: with many actors, separate maps would take more memory than
     * the metrics.
     */
    private void gauges(Map<String, String> tag, long waiting, long oldest, long handlerMillis) {
        gauge(tag, "fibry.actor.messages.waiting", "", (double) waiting, "Messages that wait in the actor's mailbox");
        gauge(
                tag,
                "fibry.actor.messages.oldest",
                SECONDS,
                oldest / NANOS,
                "How long the oldest message of the actor has been waiting, by sampling");
        gauge(tag, "fibry.actor.handler", SECONDS, handlerMillis / MILLIS, "Age of the actor's running handler");
    }

    private void gauge(Map<String, String> tag, String name, String unit, double value, String description) {
        metrics.add(new Metric(name, Metric.Kind.GAUGE, unit, tag, value, description));
    }

    private void counter(Map<String, String> tag, String name, long value, String description) {
        metrics.add(new Metric(name, Metric.Kind.COUNTER, "", tag, (double) value, description));
    }
}
