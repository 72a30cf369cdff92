package io.fibry.durable;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that fails on request. */
final class MemoryStore implements DurableStore {

    final ConcurrentMap<String, Stored> states = new ConcurrentHashMap<>();
    final ConcurrentMap<String, List<StoredEvent>> events = new ConcurrentHashMap<>();
    final AtomicInteger loads = new AtomicInteger();
    final AtomicInteger eventReads = new AtomicInteger();
    final AtomicInteger saves = new AtomicInteger();
    volatile boolean failLoad;
    volatile boolean failBeforeSave;
    volatile boolean failAfterSave;
    volatile Runnable beforeSave = () -> {};

    @Override
    public Stored load(String type, String id) throws IOException {
        loads.incrementAndGet();
        if (failLoad) {
            throw new IOException("cannot load");
        }
        return states.get(type + "/" + id);
    }

    @Override
    public List<StoredEvent> events(String type, String id, long after, int limit) {
        eventReads.incrementAndGet();
        return events.getOrDefault(type + "/" + id, List.of()).stream()
                .filter(event -> event.version() > after)
                .limit(limit)
                .toList();
    }

    @Override
    public void write(Write write) throws IOException {
        saves.incrementAndGet();
        beforeSave.run();
        if (failBeforeSave) {
            throw new IOException("lost before");
        }
        String key = write.type() + "/" + write.id();
        states.compute(key, (unused, stored) -> {
            if ((stored == null ? 0 : stored.version()) != write.expected()) {
                throw new StaleStateException(write.type(), write.id(), write.expected());
            }
            List<StoredEvent> all = new ArrayList<>(events.getOrDefault(key, List.of()));
            long version = write.expected();
            for (byte[] event : write.events()) {
                all.add(new StoredEvent(++version, Instant.now(), event));
            }
            events.put(key, all);
            if (write.state() != null) {
                return new Stored(write.version(), write.state().clone(), write.version());
            }
            return stored == null
                    ? new Stored(write.version(), null, 0)
                    : new Stored(write.version(), stored.state(), stored.stateVersion());
        });
        if (failAfterSave) {
            throw new IOException("lost after");
        }
    }

    @Override
    public long deleteEvents(String type, String id) {
        String key = type + "/" + id;
        List<StoredEvent> before = events.getOrDefault(key, List.of());
        List<StoredEvent> left = before.stream()
                .filter(event -> event.version() > states.get(key).stateVersion())
                .toList();
        events.put(key, left);
        return (long) before.size() - left.size();
    }
}
