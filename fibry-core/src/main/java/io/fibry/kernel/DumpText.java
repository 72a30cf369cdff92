package io.fibry.kernel;

import io.fibry.ActorInfo;
import io.fibry.HandledMessages;
import io.fibry.SystemDump;
import io.fibry.dispatch.LogText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/** Dumps as readable text. */
public final class DumpText {

    private static final int FRAMES = 20;

    /**
     * The class of the first frame of the library below the handler. The frames from there on are the same for all
     * actors.
     */
    private static final String LIBRARY = "io.fibry.kernel.ActorCell";

    private DumpText() {}

    public static String of(SystemDump dump) {
        var text = new StringBuilder();
        SystemDump.Totals t = dump.totals();
        line(
                text,
                "system " + LogText.plain(dump.system()) + " at " + dump.time().truncatedTo(ChronoUnit.SECONDS));
        line(
                text,
                String.format(
                        Locale.ROOT,
                        "%,d actors: %,d idle, %,d ready, %,d running, %,d waiting for others, %,d paused, %,d"
                                + " stopping",
                        t.actors(),
                        t.idle(),
                        t.ready(),
                        t.running(),
                        t.waiting(),
                        t.paused(),
                        t.stopping()));
        if (!dump.tracked()) {
            line(text, "not counted: idle actors without a name, parent, child, hook, timer or thread (no tracking)");
        }
        line(
                text,
                String.format(
                        Locale.ROOT,
                        "messages: %,d in mailboxes, %s, %,d refused, %,d dropped, %,d dead letters",
                        t.mailboxSizes(),
                        handled(dump.counters().handledBySource()),
                        dump.counters().refused(),
                        dump.counters().dropped(),
                        dump.counters().dead()));
        line(
                text,
                String.format(
                        Locale.ROOT,
                        "failures: %,d; restarts: %,d; workers: %,d now, %,d started",
                        t.failures(),
                        t.restarts(),
                        t.workers(),
                        t.workersStarted()));
        list(text, "longest running", dump.longestRunning(), true);
        list(text, "fullest mailboxes", dump.fullest(), false);
        list(text, "most restarts", dump.mostRestarted(), false);
        return text.toString();
    }

    private static void list(StringBuilder text, String title, List<ActorInfo> actors, boolean withStacks) {
        if (!actors.isEmpty()) {
            line(text, "\n" + title);
            actors.forEach(actor -> append(text, actor, withStacks));
        }
    }

    public static String of(ActorInfo actor) {
        var text = new StringBuilder();
        append(text, actor, true);
        return text.toString().stripTrailing();
    }

    private static void append(StringBuilder text, ActorInfo a, boolean withStack) {
        text.append(LogText.plain(a.name())).append(": ").append(state(a));
        if (a.message() != null) {
            text.append(" for ")
                    .append(seconds(a.runningFor()))
                    .append(" on a ")
                    .append(LogText.plain(a.message()));
        }
        if (a.stopping() != null) {
            text.append(", stopping (").append(a.stopping()).append(')');
        }
        text.append(String.format(
                Locale.ROOT,
                "; %,d in mailbox, %s, %,d failures, %,d restarts, %,d children; %s, %s",
                a.mailboxSize(),
                handled(a.handledBySource()),
                a.failures(),
                a.restarts(),
                a.children(),
                a.strategy(),
                LogText.plain(a.behavior())));
        if (a.parent() != null) {
            text.append(", child of ").append(LogText.plain(a.parent()));
        }
        text.append('\n');
        if (withStack) {
            a.stack().stream()
                    .takeWhile(frame -> !frame.getClassName().equals(LIBRARY))
                    .limit(FRAMES)
                    .forEach(frame -> text.append("    at ").append(frame).append('\n'));
        }
    }

    /** The number of handled messages, with their sources unless all were sent. */
    private static String handled(HandledMessages h) {
        String sources = part(h.sent(), "sent")
                + part(h.timers(), "of timers")
                + part(h.piped(), "piped")
                + part(h.internal(), "internal");
        return String.format(Locale.ROOT, "%,d handled", h.total())
                + (h.total() == h.sent() ? "" : " (" + sources.substring(2) + ")");
    }

    private static String part(long number, String source) {
        return number == 0 ? "" : String.format(Locale.ROOT, ", %,d %s", number, source);
    }

    private static String state(ActorInfo a) {
        String who = a.waitsFor() == null ? "another actor" : LogText.plain(a.waitsFor());
        return switch (a.state()) {
            case IDLE -> "idle";
            case READY -> "ready";
            case RUNNING -> "running";
            case WAITS_FOR_REPLY -> "waits for a reply of " + who + ", running";
            case WAITS_FOR_ROOM -> "waits for room in the mailbox of " + who + ", running";
            case WAITS_FOR_EXIT -> "waits for the end of " + who + ", running";
            case WAITS_FOR_PAUSE -> "waits until " + who + " has finished its message, running";
            case PAUSED -> a.waitsFor() == null ? "paused" : "paused, waits for the end of " + who;
            case STOPPING -> a.waitsFor() == null ? "stopped, has yet to end" : "stopped, waits for the end of " + who;
        };
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%,.1f s", time.toMillis() / 1000.0);
    }

    private static void line(StringBuilder text, String line) {
        text.append(line).append('\n');
    }
}
