package io.fibry.kernel;

import io.fibry.ActorInfo;
import io.fibry.HandledMessages;
import io.fibry.StopMode;
import io.fibry.SystemDump;
import io.fibry.SystemStats;
import io.fibry.dispatch.JsonObject;
import java.time.Duration;

/** Dumps as JSON, with the names of the records' components. */
public final class DumpJson {

    private DumpJson() {}

    public static String of(SystemDump dump) {
        return new JsonObject()
                .text("system", dump.system())
                .text("time", dump.time().toString())
                .plain("tracked", dump.tracked())
                .plain("totals", of(dump.totals()))
                .plain("counters", of(dump.counters()))
                .array("longestRunning", dump.longestRunning(), DumpJson::of)
                .array("fullest", dump.fullest(), DumpJson::of)
                .array("mostRestarted", dump.mostRestarted(), DumpJson::of)
                .toString();
    }

    private static String of(SystemDump.Totals totals) {
        return new JsonObject()
                .plain("actors", totals.actors())
                .plain("idle", totals.idle())
                .plain("ready", totals.ready())
                .plain("running", totals.running())
                .plain("waiting", totals.waiting())
                .plain("paused", totals.paused())
                .plain("stopping", totals.stopping())
                .plain("mailboxSizes", totals.mailboxSizes())
                .plain("failures", totals.failures())
                .plain("restarts", totals.restarts())
                .number("longestRunning", seconds(totals.longestRunning()))
                .plain("workers", totals.workers())
                .plain("workersStarted", totals.workersStarted())
                .toString();
    }

    private static String of(SystemStats counters) {
        return new JsonObject()
                .plain("handled", counters.handled())
                .plain("handledBySource", of(counters.handledBySource()))
                .plain("refused", counters.refused())
                .plain("dropped", counters.dropped())
                .plain("dead", counters.dead())
                .toString();
    }

    public static String of(HandledMessages handled) {
        return new JsonObject()
                .plain("sent", handled.sent())
                .plain("timers", handled.timers())
                .plain("piped", handled.piped())
                .plain("internal", handled.internal())
                .toString();
    }

    public static String of(ActorInfo actor) {
        StopMode stopping = actor.stopping();
        return new JsonObject()
                .text("id", actor.id())
                .text("name", actor.name())
                .text("behavior", actor.behavior())
                .text("parent", actor.parent())
                .text("strategy", actor.strategy())
                .text("state", actor.state().name())
                .text("waitsFor", actor.waitsFor())
                .text("stopping", stopping == null ? null : stopping.name())
                .plain("mailboxSize", actor.mailboxSize())
                .text("message", actor.message())
                .number("runningFor", seconds(actor.runningFor()))
                .plain("handled", actor.handled())
                .plain("handledBySource", of(actor.handledBySource()))
                .plain("failures", actor.failures())
                .plain("restarts", actor.restarts())
                .plain("children", actor.children())
                .array("stack", actor.stack(), frame -> JsonObject.quoted(frame.toString()))
                .toString();
    }

    private static double seconds(Duration time) {
        return time.toMillis() / 1000.0;
    }
}
