package io.fibry.observer;

import io.fibry.Incident;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The last failures and dead letters, as texts: it keeps no actor, message or exception alive. Equal ones are one entry
 * with a count, so that thousands of dead letters do not displace all other entries.
 */
final class IncidentLog implements Consumer<Incident> {

    private static final int MOST = 50;
    private static final int MOST_FRAMES = 12;

    /** The properties in which equal incidents agree. */
    private record Key(
            Incident.Kind kind,
            String actorId,
            String message,
            @Nullable String what) {}

    /** An entry after its last incident, whose number is the version. */
    private record Entry(
            long first,
            long version,
            Key key,
            Instant time,
            String actor,
            @Nullable String text,
            List<String> stack,
            long count) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Key, Entry> entries = new LinkedHashMap<>(); // guarded by the lock; the latest is the last
    private long last; // guarded by the lock

    @Override
    public void accept(Incident incident) {
        Throwable failure = incident.failure();
        var key = new Key(
                incident.kind(),
                incident.actorId(),
                cut(incident.message().getName()),
                failure == null
                        ? String.valueOf(incident.reason())
                        : failure.getClass().getName());
        String text = failure == null ? null : cutOrNull(textOf(failure)); // outside the lock: code of users
        List<String> stack = failure == null ? List.of() : stackOf(failure);
        String actor = cut(incident.actor());
        lock.lock();
        try {
            Entry before = entries.remove(key);
            last++;
            entries.put(
                    key,
                    new Entry(
                            before == null ? last : before.first,
                            last,
                            key,
                            Instant.now(),
                            actor,
                            text,
                            stack,
                            before == null ? 1 : before.count + 1));
            if (entries.size() > MOST) {
                entries.remove(entries.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
    }

    private static @Nullable String textOf(Throwable failure) {
        try {
            return failure.getMessage();
        } catch (RuntimeException e) { // its class is all that there is to tell
            return null;
        }
    }

    private static @Nullable String cutOrNull(@Nullable String text) {
        return text == null ? null : cut(text);
    }

    private static String cut(String text) {
        return text.length() <= Json.LONGEST_TEXT ? text : text.substring(0, Json.LONGEST_TEXT) + '…';
    }

    private static List<String> stackOf(Throwable failure) {
        return Stream.of(failure.getStackTrace())
                .limit(MOST_FRAMES)
                .map(StackTraceElement::toString)
                .toList();
    }

    /** The number of the latest incident. */
    long last() {
        lock.lock();
        try {
            return last;
        } finally {
            lock.unlock();
        }
    }

    /** The entries since this number, the oldest first. */
    List<String> after(long version) {
        return after(version, null);
    }

    /** The entries since this number, the oldest first; of one actor if its id is not null. */
    List<String> after(long version, @Nullable String actorId) {
        List<Entry> later;
        lock.lock();
        try {
            later = entries.values().stream()
                    .filter(entry -> entry.version > version)
                    .filter(entry -> actorId == null || actorId.equals(entry.key.actorId))
                    .toList();
        } finally {
            lock.unlock();
        }
        return later.stream().map(IncidentLog::json).toList();
    }

    private static String json(Entry entry) {
        return new Json()
                .plain("entry", entry.first)
                .text("time", entry.time.toString())
                .text("kind", entry.key.kind.name())
                .text("actorId", entry.key.actorId)
                .text("actor", entry.actor)
                .text("message", entry.key.message)
                .text("what", entry.key.what)
                .text("text", entry.text)
                .array("stack", entry.stack, Json::quotedText)
                .plain("count", entry.count)
                .toString();
    }
}
