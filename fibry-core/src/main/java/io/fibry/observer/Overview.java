package io.fibry.observer;

import io.fibry.ActorInfo;
import io.fibry.Metric;
import io.fibry.SystemDump;
import io.fibry.SystemStats;
import io.fibry.dispatch.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The first page as JSON. All lists have a limit, so that it is small for any number of actors. */
final class Overview {

    private static final int LONGEST_LIST = 10;
    private static final int MOST_SERVERS = 30;

    private Overview() {}

    static String json(
            SystemDump dump,
            ActorSample sample,
            RateMeter rates,
            List<List<String>> cycles,
            List<Metric> metrics,
            String ownName,
            long costMillis) {
        var json = new Json()
                .text("system", dump.system())
                .text("time", dump.time().toString())
                .plain("tracked", dump.tracked())
                .plain("complete", sample.complete())
                .plain("costMillis", costMillis)
                .plain("totals", totals(dump.totals(), sample.own()))
                .plain("counters", counters(dump.counters()))
                .plain("rates", rates.json());
        rates.addHistory(json);
        list(json, "busiest", busiest(dump, sample, rates), ownName, rates);
        list(
                json,
                "longest",
                dump.longestRunning().stream().filter(a -> !isServer(a)).toList(),
                ownName,
                rates);
        list(json, "fullest", dump.fullest(), ownName, rates);
        list(json, "restarted", dump.mostRestarted(), ownName, rates);
        json.array("cycles", cycles, cycle -> new Json().array("names", cycle, Json::quotedText));
        json.array("servers", servers(sample), server -> Actors.line(server, rates));
        json.array("metrics", metrics, ServerMetrics::json);
        Tree.add(sample.actors(), json);
        return json.toString();
    }

    private static void list(JsonObject to, String name, List<ActorInfo> actors, String ownName, RateMeter rates) {
        List<ActorInfo> shown = actors.stream()
                .filter(actor -> !ActorSample.isOwn(actor, ownName))
                .limit(LONGEST_LIST)
                .toList();
        to.array(name, shown, actor -> Actors.line(actor, rates));
    }

    /** Of the sample, and of the actors in the dump. */
    private static List<ActorInfo> busiest(SystemDump dump, ActorSample sample, RateMeter rates) {
        return known(dump, sample)
                .filter(actor -> rates.of(actor) > 0)
                .sorted(Comparator.comparingDouble(rates::of).reversed())
                .map(ById::new)
                .distinct()
                .limit(LONGEST_LIST + 1)
                .map(ById::actor)
                .toList();
    }

    static Stream<ActorInfo> known(SystemDump dump, ActorSample sample) {
        return Stream.of(sample.actors(), dump.longestRunning(), dump.fullest()).flatMap(List::stream);
    }

    /** An actor that equals another look at it. */
    private record ById(ActorInfo actor) {
        @Override
        public boolean equals(Object other) {
            return other instanceof ById that && that.actor.id().equals(actor.id());
        }

        @Override
        public int hashCode() {
            return actor.id().hashCode();
        }
    }

    private static List<ActorInfo> servers(ActorSample sample) {
        return sample.actors().stream()
                .filter(Overview::isServer)
                .limit(MOST_SERVERS)
                .toList();
    }

    /** The handler of a server runs as long as the server listens, so it is not among the longest running ones. */
    private static boolean isServer(ActorInfo actor) {
        return Actors.isServer(actor.parent() != null, actor.behavior());
    }

    private static JsonObject counters(SystemStats counters) {
        return new Json()
                .plain("handled", counters.handled())
                .plain("handledBySource", counters.handledBySource().toJson())
                .plain("refused", counters.refused())
                .plain("dropped", counters.dropped())
                .plain("dead", counters.dead());
    }

    /** Without the actors of the page itself. */
    private static JsonObject totals(SystemDump.Totals t, List<ActorInfo> own) {
        return new Json()
                .plain("actors", Math.max(0, t.actors() - own.size()))
                .plain("idle", without(t.idle(), own, ActorInfo.State.IDLE))
                .plain("ready", without(t.ready(), own, ActorInfo.State.READY))
                .plain("running", without(t.running(), own, ActorInfo.State.RUNNING))
                .plain("waiting", t.waiting())
                .plain("paused", t.paused())
                .plain("stopping", without(t.stopping(), own, ActorInfo.State.STOPPING))
                .plain("mailboxSizes", t.mailboxSizes())
                .plain("failures", t.failures())
                .plain("restarts", t.restarts())
                .plain("workers", t.workers())
                .plain("workersStarted", t.workersStarted());
    }

    private static long without(long all, List<ActorInfo> own, ActorInfo.State state) {
        return Math.max(
                0, all - own.stream().filter(actor -> actor.state() == state).count());
    }
}
