package io.fibry.durable;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** A store that fails on request. */
final class MemoryStore extends DurableStore {

    /** A message and the time of its next attempt. */
    record Waits(NewMessage message, long attempt, int attempts) {}

    final ConcurrentMap<String, Stored> states = new ConcurrentHashMap<>();
    final ConcurrentMap<String, List<StoredEvent>> events = new ConcurrentHashMap<>();
    final Map<Long, Waits> messages = new TreeMap<>(); // guarded by the lock
    final ConcurrentMap<String, StoredReply> replies = new ConcurrentHashMap<>();
    final AtomicInteger loads = new AtomicInteger();
    final AtomicInteger eventReads = new AtomicInteger();
    final AtomicInteger saves = new AtomicInteger();
    volatile boolean failLoad;
    volatile boolean failBeforeSave;
    volatile boolean failAfterSave;
    volatile Runnable beforeSave = () -> {};

    private final ReentrantLock lock = new ReentrantLock();
    private long lastNumber;

    @Override
    ChangeCounts counts(String type) {
        return new ChangeCounts();
    }

    @Override
    Stored load(String type, String id) throws IOException {
        loads.incrementAndGet();
        if (failLoad) {
            throw new IOException("cannot load");
        }
        return states.get(type + "/" + id);
    }

    @Override
    StoredHistory recover(String type, String id, int limit) throws IOException {
        Stored stored = load(type, id);
        if (stored == null) {
            return new StoredHistory(NOT_STORED, events(type, id, 0, limit));
        }
        return new StoredHistory(
                stored,
                stored.version() == stored.stateVersion() ? List.of() : events(type, id, stored.stateVersion(), limit));
    }

    @Override
    List<StoredEvent> events(String type, String id, long after, int limit) {
        eventReads.incrementAndGet();
        return events.getOrDefault(type + "/" + id, List.of()).stream()
                .filter(event -> event.version() > after)
                .limit(limit)
                .toList();
    }

    @Override
    void write(Write write) throws IOException {
        saves.incrementAndGet();
        beforeSave.run();
        if (failBeforeSave) {
            throw new IOException("lost before");
        }
        lock.lock();
        try {
            change(write);
        } finally {
            lock.unlock();
        }
        if (failAfterSave) {
            throw new IOException("lost after");
        }
        notifyReceivers(write);
    }

    private void change(Write write) {
        String key = write.type() + "/" + write.id();
        Stored stored = states.get(key);
        if ((stored == null ? 0 : stored.revision()) != write.revision()) {
            throw new StaleStateException(write.type(), write.id(), write.revision());
        }
        List<StoredEvent> all = new ArrayList<>(events.getOrDefault(key, List.of()));
        long version = write.version();
        for (byte[] event : write.events()) {
            all.add(new StoredEvent(++version, Instant.now(), event));
        }
        events.put(key, all);
        byte[] before = stored == null ? null : stored.state();
        states.put(
                key,
                write.state() != null
                        ? new Stored(
                                write.revision() + 1, version, write.state().clone(), version)
                        : new Stored(
                                write.revision() + 1, version, before, stored == null ? 0 : stored.stateVersion()));
        for (long number : write.outgoing().handled()) {
            Objects.requireNonNull(messages.remove(number), "the handled message");
        }
        Set<String> cancelled = Set.copyOf(write.outgoing().cancelled());
        messages.values()
                .removeIf(waits -> isOf(waits.message, write.type(), write.id())
                        && waits.message.reminder() != null
                        && cancelled.contains(waits.message.reminder()));
        write.outgoing()
                .messages()
                .forEach(message -> messages.put(++lastNumber, new Waits(message, message.attempt(), 0)));
        if (write.outgoing().reply() != null) {
            var kept = write.outgoing().reply();
            replies.put(key + "/" + kept.requestKey(), new StoredReply(kept.reply()));
        }
    }

    private static boolean isOf(NewMessage message, String type, String id) {
        return message.type().equals(type) && message.id().equals(id);
    }

    @Override
    List<StoredMessage> messages(String type, String id, Instant now, Excluded excluded, int limit) {
        lock.lock();
        try {
            return messages.entrySet().stream()
                    .filter(e -> isOf(e.getValue().message, type, id))
                    .filter(e -> e.getValue().message.due() <= now.toEpochMilli())
                    .sorted(Comparator.comparingLong(e -> e.getValue().message.due())) // stable: then by number
                    .map(e -> new StoredMessage(
                            e.getKey(),
                            e.getValue().message.sender(),
                            e.getValue().message.topic(),
                            e.getValue().message.reminder() != null,
                            e.getValue().message.message()))
                    .filter(message -> !excluded.contains(message))
                    .limit(limit)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    @Override
    StoredReply reply(String type, String id, String requestKey) {
        return replies.get(type + "/" + id + "/" + requestKey);
    }

    @Override
    List<String> claim(String type, Instant now, int limit) {
        lock.lock();
        try {
            Set<String> ids = new LinkedHashSet<>();
            for (var entry : messages.entrySet()) {
                Waits waits = entry.getValue();
                if (ids.size() < limit && waits.message.type().equals(type) && waits.attempt <= now.toEpochMilli()) {
                    ids.add(waits.message.id());
                    entry.setValue(new Waits(waits.message, nextAttempt(now, waits.attempts), waits.attempts + 1));
                }
            }
            return List.copyOf(ids);
        } finally {
            lock.unlock();
        }
    }

    @Override
    int deleteReplies(String type, Instant before, int limit) {
        return 0;
    }

    @Override
    Waiting waiting(String type, Instant now) {
        lock.lock();
        try {
            long reminders = messages.values().stream()
                    .filter(w -> w.message.reminder() != null && w.message.due() <= now.toEpochMilli())
                    .count();
            long others = messages.values().stream()
                    .filter(w -> w.message.reminder() == null)
                    .count();
            return new Waiting(others, reminders);
        } finally {
            lock.unlock();
        }
    }

    @Override
    long deleteEvents(String type, String id) {
        String key = type + "/" + id;
        List<StoredEvent> before = events.getOrDefault(key, List.of());
        List<StoredEvent> left = before.stream()
                .filter(event -> event.version() > states.get(key).stateVersion())
                .toList();
        events.put(key, left);
        return (long) before.size() - left.size();
    }
}
