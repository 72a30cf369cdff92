package io.fibry.bench.report;

import io.fibry.bench.report.Goal.Side;
import java.util.List;

/**
 * The performance goals. Every report contains all rows, except that goals of latencies appear only in reports of
 * latencies.
 */
final class Goals {

    private static final String OURS = "FIBRY";
    private static final String ARTICLE = "FIBRY_2_4_1";
    private static final String PEKKO = "PEKKO";
    private static final String GO = "GO";
    private static final String JDK = "JDK";
    private static final String HELIDON = "HELIDON";
    private static final String JDBC = "JDBC";
    private static final String KOTLIN = "KOTLIN";
    private static final String QUEUES = "VIRTUAL_THREADS";
    private static final String THREADS = "BARE_VIRTUAL_THREADS";
    private static final String PENDING = "-due-100000-pending-1000000";

    static final List<Goal> ALL = List.of(
            beside("create an idle actor, beside Fibry 2.4.1", "createbenchmark-idle", ARTICLE, "1/12", "1/15"),
            alone("heap of an idle actor, in bytes", "createbenchmark-idle-heapperactor", "72", ""),
            beside(
                    "request-reply from an actor, beside Fibry 2.4.1",
                    "requestreplybenchmark-fromactor",
                    ARTICLE,
                    "0.2",
                    ""),
            alone(
                    "request-reply from an actor, in ns; 331 is the slowest round trip seen over Go's channels",
                    "requestreplybenchmark-fromactor",
                    "331",
                    "100"),
            beside(
                    "request-reply from a virtual thread, beside Fibry 2.4.1",
                    "requestreplybenchmark-fromvirtualthread",
                    ARTICLE,
                    "0.65",
                    "0.5"),
            beside("ring hop, beside Pekko", "ringbenchmark-hop", PEKKO, "1", "0.6"),
            beside("ping-pong, beside Pekko", "pingpongbenchmark-roundtrip", PEKKO, "1", "0.6"),
            beside("`tell`, one producer, beside Fibry 2.4.1", "tellbenchmark-onetoone", ARTICLE, "1/3", "1/4"),
            beside("`tell`, four producers, beside Fibry 2.4.1", "tellbenchmark-fourtoone", ARTICLE, "1/1.6", "1/2.5"),
            beside(
                    "1,000,000 blocked handlers, beside bare virtual threads",
                    "blockedmillionbenchmark-sleep1s-handlers-1000000",
                    THREADS,
                    "1.25",
                    "1.1"),
            beside("TCP hello, closed after each answer, beside Go", "netload-tcp", GO, "1/0.95", ""),
            beside("TCP hello, closed after each answer, beside the bare JDK", "netload-tcp", JDK, "1/0.95", ""),
            beside("TCP hello, the same after a warm-up, beside Go", "netload-tcp-warm", GO, "1/0.95", ""),
            beside("TCP hello, the same after a warm-up, beside the bare JDK", "netload-tcp-warm", JDK, "1/0.95", ""),
            beside("TCP hello, connections stay open, beside Go", "netload-tcp-kept", GO, "1/0.95", ""),
            beside("TCP hello, connections stay open, beside the bare JDK", "netload-tcp-kept", JDK, "1/0.95", ""),
            beside("TCP hello, connections stay open, warm, beside Go", "netload-tcp-kept-warm", GO, "1/0.95", ""),
            beside(
                    "TCP hello, connections stay open, warm, beside the bare JDK",
                    "netload-tcp-kept-warm",
                    JDK,
                    "1/0.95",
                    ""),
            beside("HTTP hello, all limits on, beside the bare JDK server", "netload-http", JDK, "1/0.97", ""),
            new Goal(
                    "HTTP hello, Fibry on Helidon, beside bare Helidon",
                    new Side("netload-http", "FIBRY_HELIDON"),
                    new Side("netload-http", HELIDON),
                    "1/0.95",
                    ""),
            beside("p99 of HTTP hello at 8,000/s, beside bare Helidon", "netload-http-open", HELIDON, "1.1", ""),
            flat("`tell` among 1,000,000 live actors, beside 1,000", "liveactorsbenchmark-tell"),
            flat("request-reply among 1,000,000 live actors, beside 1,000", "liveactorsbenchmark-ask"),
            flat("ring hop among 1,000,000 live actors, beside 1,000", "liveactorsbenchmark-ringhop"),
            flat("create an actor among 1,000,000 live ones, beside 1,000", "amongliveactorsbenchmark-create"),
            flat(
                    "request-reply from a virtual thread among 1,000,000 live actors, beside 1,000",
                    "amongliveactorsbenchmark-askfromvirtualthread"),
            flat("ping-pong among 1,000,000 live actors, beside 1,000", "amongliveactorsbenchmark-pingpong"),
            flat(
                    "`tell`, four producers, among 1,000,000 live actors, beside 1,000",
                    "amongliveactorsbenchmark-tellfourtoone"));

    /**
     * The maximum delays of other threads in microseconds while actors are always busy, and the latencies in which this
     * library leads.
     */
    static final List<Goal> LATENCY = List.of(
            latency("tell-load-idle-rate-10000-p99-9", "p99.9 of `tell` at 10,000/s, beside Pekko", PEKKO),
            latency("tell-load-idle-rate-10000-p99-9", "p99.9 of `tell` at 10,000/s, beside virtual threads", QUEUES),
            latency("ask-load-idle-rate-10000-p99-9", "p99.9 of `ask` at 10,000/s, beside Pekko", PEKKO),
            latency("flood-.*-p99", "p99 beside an actor that floods itself, beside Pekko", PEKKO),
            latency("flood-.*-p99", "p99 beside an actor that floods itself, beside virtual threads", QUEUES),
            wait(
                    "burn-micros-100-max",
                    "a sleeping virtual thread beside handlers of 100 µs, at the latest, in µs",
                    "50000"),
            wait(
                    "burn-micros-1000-max",
                    "a sleeping virtual thread beside handlers of 1 ms, at the latest, in µs",
                    "50000"),
            wait(
                    "burn-micros-10000-max",
                    "a sleeping virtual thread beside handlers of 10 ms, at the latest, in µs",
                    "50000"),
            wait(
                    "burn-micros-1000-echo-max",
                    "an echo on a virtual thread beside handlers of 1 ms, at the latest, in µs",
                    "100000"),
            wait(
                    "burn-micros-10000-echo-max",
                    "an echo on a virtual thread beside handlers of 10 ms, at the latest, in µs",
                    "100000"),
            wait(ticks(200_000, "p99"), "p99 of the ticks of 200,000 timers, in µs", "5000"),
            wait(ticks(200_000, "cores"), "processors for the ticks of 200,000 timers", "0.2"),
            wait(ticks(1_000_000, "mean"), "mean latency of the ticks of 1,000,000 timers, in µs", "10000"),
            latency(ticks(1_000_000, "cores"), "processors for the ticks of 1,000,000 timers, beside Go", GO));

    /** The stereotypes. */
    static final List<Goal> SHAPES = List.of(
            beside("`tell` to an entity, beside an actor in a map", entities(1_000), "MAP_OF_ACTORS", "1.15", ""),
            beside(
                    "`tell` to one of 1,000,000 entities, beside actors in a map",
                    entities(1_000_000),
                    "MAP_OF_ACTORS",
                    "1.25",
                    ""),
            new Goal(
                    "`tell` to one of 1,000,000 entities, beside 1,000",
                    new Side(entities(1_000_000), OURS),
                    new Side(entities(1_000), OURS),
                    "1.5",
                    "1.1"),
            beside("worker pool, small tasks", "workerpoolbenchmark-task-tokens-2000", "THREAD_POOL", "1/0.9", "1"),
            beside("worker pool, larger tasks", "workerpoolbenchmark-task-tokens-25000", "THREAD_POOL", "1/0.9", "1"),
            beside("keyed pool, empty tasks, beside an actor per key", keyed(0), "ACTOR_PER_KEY", "1.1", ""),
            beside("keyed pool, short tasks, beside an actor per key", keyed(2_000), "ACTOR_PER_KEY", "1.1", ""),
            beside("topic, beside Pekko's", topic(100_000), "PEKKO_TOPIC", "1", ""),
            beside("topic with 10,000 subscribers, beside Go", topic(10_000), GO, "1.2", ""),
            beside("topic, beside Pekko's event stream", topic(100_000), "PEKKO_EVENT_STREAM", "1", ""),
            beside("generator", "generatorbenchmark-value", "ARRAY_BLOCKING_QUEUE", "1", ""),
            beside("map-reduce that computes", "mapreducebenchmark-item-mapper-compute", "MAP_CONCURRENT", "1", ""),
            beside("map-reduce of short items, beside Go", "shortmapreducebenchmark-item", GO, "1", ""),
            beside(
                    "map-reduce of short items, beside virtual threads with queues",
                    "shortmapreducebenchmark-item",
                    QUEUES,
                    "1/1.4",
                    ""),
            beside("map-reduce that sleeps", "mapreducebenchmark-item-mapper-sleep-1-milli", "MAP_CONCURRENT", "1", ""),
            beside("batcher", "batcherbenchmark-message", "QUEUE_DRAIN_TO", "1.2", ""),
            beside("pipeline, beside virtual threads with queues", "pipelinebenchmark-item", QUEUES, "1", ""),
            beside("pipeline, beside Go", "pipelinebenchmark-item", GO, "1", ""),
            new Goal(
                    "new entities that load for a second, with a limit, beside none",
                    new Side(slowEntities(1_000), ""),
                    new Side(slowEntities(Integer.MAX_VALUE), ""),
                    "2",
                    ""),
            beside("short lives, one virtual thread asks, beside Kotlin", shortLives(1), KOTLIN, "1", ""),
            beside("short lives, 100 virtual threads ask, beside bare ones", shortLives(100), THREADS, "1.2", ""),
            beside("short lives inside an actor, beside Kotlin", "shortlivesfromactorbenchmark-life", KOTLIN, "1", ""),
            beside(
                    "messages next to 10,000 actors that sleep, beside virtual threads with queues",
                    "sleepersbenchmark-message-sleepers-10000",
                    QUEUES,
                    "1",
                    ""));

    /** Durable entities. */
    static final List<Goal> DURABLE = List.of(
            beside(
                    "acknowledged events, beside Pekko Persistence JDBC",
                    durability("events", "-entities-1000-writers-64"),
                    PEKKO,
                    "1/1.5",
                    ""),
            beside(
                    "acknowledged events, beside a transaction for each with plain JDBC",
                    durability("events", "-entities-1000-writers-64"),
                    JDBC,
                    "1/3",
                    ""),
            beside(
                    "latency of a durable ask, beside a transaction with plain JDBC",
                    durability("ask", "-entities-1000"),
                    JDBC,
                    "1.3",
                    ""),
            beside(
                    "recovery from 1,000 events, beside their rows with plain JDBC",
                    durability("recovery", "-entities-100-events-1000"),
                    JDBC,
                    "1.5",
                    ""),
            beside(
                    "projection, beside Pekko Projection JDBC",
                    durability("projection", "-events-200000"),
                    PEKKO,
                    "1",
                    ""),
            alone("projection of a new event, p99 in µs", durability("notice", "-p99"), "100000", ""),
            new Goal(
                    "reminders that are handled per second",
                    new Side(durability("reminders", PENDING), OURS),
                    null,
                    "5000",
                    "",
                    true),
            alone(
                    "heap of 1,000,000 pending reminders, 64 MiB, in bytes",
                    durability("reminders", PENDING + "-heap"),
                    "67108864",
                    ""),
            alone(
                    "lateness of a reminder at 100/s, PostgreSQL, max in µs",
                    durability("lateness", "-rate-100-max"),
                    "1000000",
                    ""),
            alone(
                    "lateness of a reminder at 100/s, H2, max in µs",
                    "durability-lateness-database-h2-rate-100-max",
                    "1000000",
                    ""));

    private Goals() {}

    /** Returns the goals of a run with these figures. */
    static List<Goal> of(List<Figure> figures) {
        if (figures.stream().anyMatch(figure -> LatencyTables.have(figure.question()))) {
            return LATENCY;
        }
        if (figures.stream().anyMatch(figure -> DurableTables.have(figure.question()))) {
            return DURABLE;
        }
        boolean ofShapes = figures.stream()
                .anyMatch(figure -> Plan.isOfShapes(figure.question().benchmark()));
        return ofShapes ? SHAPES : ALL;
    }

    private static String keyed(int tokens) {
        return "keyedpoolbenchmark-task-tokens-" + tokens;
    }

    private static String durability(String measurement, String params) {
        return "durability-" + measurement + "-database-postgresql" + params;
    }

    private static String entities(int keys) {
        return "entitiesbenchmark-tell-keys-" + keys;
    }

    private static String slowEntities(int maxInMemory) {
        return "slowentitiesbenchmark-entity-maxinmemory-" + maxInMemory;
    }

    private static String topic(int subscribers) {
        return "topicbenchmark-publish-subscribers-" + subscribers;
    }

    private static String shortLives(int clients) {
        return "shortlivesbenchmark-life-clients-" + clients;
    }

    private static String ticks(int actors, String metric) {
        return "ticks-actors-" + actors + "-millis-1000-" + metric;
    }

    private static Goal latency(String question, String row, String peer) {
        return beside(row, "latency-" + question, peer, "1", "");
    }

    private static Goal wait(String question, String row, String must) {
        return alone(row, "latency-" + question, must, "");
    }

    private static Goal beside(String row, String question, String peer, String must, String aim) {
        return new Goal(row, new Side(question, OURS), new Side(question, peer), must, aim);
    }

    private static Goal alone(String row, String question, String must, String aim) {
        return new Goal(row, new Side(question, OURS), null, must, aim);
    }

    /** A goal for this library among many actors relative to few; a tenth is the noise of a good machine. */
    private static Goal flat(String row, String question) {
        var many = new Side(question + "-live-1000000", OURS);
        return new Goal(row, many, new Side(question + "-live-1000", OURS), "1.5", "1.1");
    }
}
