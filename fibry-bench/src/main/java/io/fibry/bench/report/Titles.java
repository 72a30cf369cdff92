package io.fibry.bench.report;

import static java.util.Map.entry;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The titles of questions in the report. Without an entry, the title consists of the words of the benchmark's name. */
final class Titles {

    static final Map<String, String> KNOWN = Map.ofEntries(
            entry("NetLoad.tcp", "TCP hello, closed after each answer: ab -k -n 50000 -c 100"),
            entry("NetLoad.tcp_warm", "TCP hello, closed after each answer, with the server warmed up"),
            entry("NetLoad.tcp_kept", "TCP hello, connections stay open: ab -k -n 200000 -c 100"),
            entry("NetLoad.tcp_kept_warm", "TCP hello, connections stay open, with the server warmed up"),
            entry("NetLoad.http", "HTTP hello, connections stay open: wrk -t1 -c64"),
            entry("NetLoad.http_open", "HTTP hello, open loop with 8,000 requests a second: 99th percentile"),
            entry("CreateBenchmark.idle", "Create an idle actor"),
            entry("CreateBenchmark.withFirstMessage", "Create an actor, with its first message"),
            entry("CreateManyBenchmark.idle", "Create one of 1,000,000 idle actors"),
            entry("CreateFewBenchmark.idle", "Create one of 3,000 idle actors"),
            entry("RequestReplyBenchmark.fromActor", "Request-reply, an actor asks an actor"),
            entry("RequestReplyBenchmark.fromActorForcedSwitch", "Request-reply between actors, with a forced switch"),
            entry("RequestReplyBenchmark.fromVirtualThread", "Request-reply, a virtual thread asks"),
            entry("RequestReplyBenchmark.fromPlatformThread", "Request-reply, a platform thread asks"),
            entry("PingPongBenchmark.roundTrip", "Ping-pong by tell, round trip"),
            entry("RingBenchmark.hop", "Ring of 1,000 actors, one hop"),
            entry("TellBenchmark.oneToOne", "tell, one producer to one actor"),
            entry("TellBenchmark.twoToOne", "tell, two producers to one actor"),
            entry("TellBenchmark.fourToOne", "tell, four producers to one actor"),
            entry("TellBenchmark.fourToFour", "tell, four producers to four actors"),
            entry("NamedTellBenchmark.oneToOne", "tell to an actor with a name"),
            entry("ExecuteBenchmark.onSink", "Run code inside a sink"),
            entry("SkynetBenchmark.tree", "Skynet, a tree of 1,111,111 actors"),
            entry("BlockedBenchmark.sleep100ms", "Handlers that block for 100 ms"),
            entry("OverloadBenchmark.twiceTheCapacity", "Overload, twice as many requests as can be served"),
            entry("BlockedMillionBenchmark.sleep1s", "Handlers that block for 1 s"),
            entry("CoroutinesBenchmark.sleep10ms", "Coroutines that hold their thread for 10 ms"),
            entry("CoroutinesBenchmark.delay100ms", "Coroutines that delay for 100 ms"),
            entry("LiveActorsBenchmark.tell", "tell to one of many"),
            entry("LiveActorsBenchmark.ask", "Request-reply with one of many"),
            entry("LiveActorsBenchmark.tellInOrder", "tell to many in the order of their making"),
            entry("LiveActorsBenchmark.askInOrder", "Request-reply with many in the order of their making"),
            entry("LiveActorsBenchmark.ringHop", "One hop in a ring of many"),
            entry("AmongLiveActorsBenchmark.create", "Create an actor among many"),
            entry(
                    "AmongLiveActorsBenchmark.askFromVirtualThread",
                    "Request-reply with one of many, a virtual thread asks"),
            entry("AmongLiveActorsBenchmark.pingPong", "Ping-pong between two of many, round trip"),
            entry("AmongLiveActorsBenchmark.tellFourToOne", "tell, four producers to one of many"),
            entry("BatcherBenchmark.message", "Messages in batches of 100"),
            entry("EntitiesBenchmark.tell", "tell to entities in memory"),
            entry("KeyedPoolBenchmark.task", "Tasks in order per key, two at a time"),
            entry("GeneratorBenchmark.value", "Values from one virtual thread to another"),
            entry("MapReduceBenchmark.item", "Map-reduce, eight at a time"),
            entry("ShortMapReduceBenchmark.item", "Map-reduce, items of 100 ns, as many at a time as processors"),
            entry("PipelineBenchmark.item", "A pipeline of eight stages with bounded mailboxes"),
            entry("ShortLivesBenchmark.life", "Create an actor, ask it once, stop it"),
            entry("ShortLivesFromActorBenchmark.life", "Create an actor, ask it once, stop it, inside an actor"),
            entry("SleepersBenchmark.message", "Messages to 100 actors next to actors that sleep"),
            entry("SlowEntitiesBenchmark.entity", "A burst of new entities that load for a second"),
            entry("TopicBenchmark.publish", "Publish, until all have handled it"),
            entry("WorkerPoolBenchmark.task", "Tasks that compute, two at a time"));

    private static final Map<String, String> METRICS = Map.of(
            "", "",
            "peakMemory", ": peak memory of the process",
            "heapPerActor", ": heap of each",
            "answeredInTime", ": answered within half a second",
            "refused", ": refused at once",
            "latencyMedian", ": latency of the answered, median",
            "latency99Percent", ": latency of the answered, 99th percentile",
            "failedRequests", ": failed requests");

    private Titles() {}

    static String of(Question question) {
        String title = KNOWN.getOrDefault(question.name(), capital(words(question.name())));
        String given = question.params().entrySet().stream()
                .map(p -> ", " + (p.getKey().equals("handlers") ? "" : words(p.getKey()) + " ") + value(p.getValue()))
                .collect(Collectors.joining());
        return title + given + METRICS.getOrDefault(question.metric(), ": " + words(question.metric()));
    }

    static String value(String value) {
        return value.matches("\\d{4,18}") ? String.format(Locale.ROOT, "%,d", Long.parseLong(value)) : value;
    }

    private static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    private static String words(String camelCase) {
        return camelCase
                .replace("Benchmark", "")
                .replace(".", ", ")
                .replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ")
                .toLowerCase(Locale.ROOT);
    }
}
