package io.fibry.kernel;

import io.fibry.ActorInfo;
import io.fibry.Counters;
import io.fibry.StopMode;
import io.fibry.SystemDump;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Dumps as JSON, with the names of the records' components. */
public final class DumpJson {

    private final StringJoiner members = new StringJoiner(",", "{", "}");

    private DumpJson() {}

    public static String of(SystemDump dump) {
        return new DumpJson()
                .text("system", dump.system())
                .text("time", dump.time().toString())
                .plain("tracked", dump.tracked())
                .plain("totals", of(dump.totals()))
                .plain("counters", of(dump.counters()))
                .plain("longestAtWork", array(dump.longestAtWork()))
                .plain("fullest", array(dump.fullest()))
                .plain("mostRestarted", array(dump.mostRestarted()))
                .toString();
    }

    private static String of(SystemDump.Totals totals) {
        return new DumpJson()
                .plain("actors", totals.actors())
                .plain("idle", totals.idle())
                .plain("ready", totals.ready())
                .plain("atWork", totals.atWork())
                .plain("waiting", totals.waiting())
                .plain("paused", totals.paused())
                .plain("stopping", totals.stopping())
                .plain("mailboxSizes", totals.mailboxSizes())
                .plain("failures", totals.failures())
                .plain("restarts", totals.restarts())
                .plain("longestAtWork", seconds(totals.longestAtWork()))
                .plain("workers", totals.workers())
                .plain("workersStarted", totals.workersStarted())
                .toString();
    }

    private static String of(Counters counters) {
        return new DumpJson()
                .plain("handled", counters.handled())
                .plain("refused", counters.refused())
                .plain("dropped", counters.dropped())
                .plain("dead", counters.dead())
                .toString();
    }

    public static String of(ActorInfo actor) {
        StopMode stopping = actor.stopping();
        return new DumpJson()
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
                .plain("atWorkFor", seconds(actor.atWorkFor()))
                .plain("handled", actor.handled())
                .plain("failures", actor.failures())
                .plain("restarts", actor.restarts())
                .plain("children", actor.children())
                .plain("stack", stack(actor.stack()))
                .toString();
    }

    private static String array(Collection<ActorInfo> actors) {
        var array = new StringJoiner(",", "[", "]");
        actors.forEach(actor -> array.add(of(actor)));
        return array.toString();
    }

    private static String stack(List<StackTraceElement> frames) {
        var array = new StringJoiner(",", "[", "]");
        frames.forEach(frame -> array.add(quoted(frame.toString())));
        return array.toString();
    }

    private DumpJson plain(String name, Object value) {
        members.add('"' + name + "\":" + value);
        return this;
    }

    private DumpJson text(String name, @Nullable String value) {
        return plain(name, value == null ? "null" : quoted(value));
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.3f", time.toMillis() / 1000.0);
    }

    /** Returns ASCII only: no control characters, and none that could end an HTML script element. */
    private static String quoted(String text) {
        var quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || c > '~' || c == '<' || c == '>' || c == '&') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    @Override
    public String toString() {
        return members.toString();
    }
}
