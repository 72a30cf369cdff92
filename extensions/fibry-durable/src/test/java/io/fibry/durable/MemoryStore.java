package io.fibry.durable;

import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that fails on request. */
final class MemoryStore implements StateStore {

    final ConcurrentMap<String, Stored> states = new ConcurrentHashMap<>();
    final AtomicInteger loads = new AtomicInteger();
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
    public void save(String type, String id, long expected, byte[] state) throws IOException {
        saves.incrementAndGet();
        beforeSave.run();
        if (failBeforeSave) {
            throw new IOException("lost before");
        }
        states.compute(type + "/" + id, (key, stored) -> {
            if ((stored == null ? 0 : stored.version()) != expected) {
                throw new StaleStateException(type, id, expected);
            }
            return new Stored(expected + 1, state.clone());
        });
        if (failAfterSave) {
            throw new IOException("lost after");
        }
    }
}
