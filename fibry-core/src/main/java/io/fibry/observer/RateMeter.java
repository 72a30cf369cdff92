package io.fibry.observer;

import io.fibry.ActorInfo;
import io.fibry.SystemDump;
import io.fibry.SystemStats;
import io.fibry.dispatch.JsonObject;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The changes between two snapshots. Used by one thread at a time, the one that holds the lock of the {@link
 * SnapshotFeed}.
 */
final class RateMeter {

    private static final int POINTS = 90;
    private static final double NANOS = 1e9;

    /** Messages handled in a second, and messages in mailboxes. */
    private record Point(double handled, long waiting) {}

    private final Deque<Point> history = new ArrayDeque<>();
    private Map<String, Long> handledBefore = Map.of();
    private Map<String, Long> handledNow = Map.of();
    private @Nullable SystemDump last;
    private long lastNanos;
    private double seconds;
    private String json = "null";

    void add(SystemDump dump, List<ActorInfo> actors, long nanos) {
        SystemDump before = last;
        handledBefore = handledNow;
        handledNow = new HashMap<>();
        actors.forEach(actor -> handledNow.put(actor.id(), actor.handled()));
        if (before != null) {
            seconds = Math.max(1, nanos - lastNanos) / NANOS;
            SystemStats was = before.counters();
            SystemStats is = dump.counters();
            double handled = perSecond(is.handled() - was.handled());
            json = new Json()
                    .number("handled", handled)
                    .number("lost", perSecond(lost(is) - lost(was)))
                    .number(
                            "failures",
                            perSecond(Math.max(
                                    0,
                                    dump.totals().failures() - before.totals().failures())))
                    .toString();
            history.addLast(new Point(handled, dump.totals().mailboxSizes()));
            if (history.size() > POINTS) {
                history.removeFirst();
            }
        }
        last = dump;
        lastNanos = nanos;
    }

    private static long lost(SystemStats counters) {
        return counters.refused() + counters.dropped() + counters.dead();
    }

    private double perSecond(long change) {
        return change / seconds;
    }

    /** How many messages an actor has handled in a second; 0 if it was not there before. */
    double of(ActorInfo actor) {
        Long before = handledBefore.get(actor.id());
        return before == null || seconds == 0 ? 0 : perSecond(Math.max(0, actor.handled() - before));
    }

    /** The rates of the system, or {@code null} after the first look. */
    String json() {
        return json;
    }

    /** The last rates and numbers, the oldest first. */
    void addHistory(JsonObject to) {
        List<Point> points = List.copyOf(history);
        to.array("handledHistory", points, point -> Math.round(point.handled));
        to.array("waitingHistory", points, Point::waiting);
    }
}
