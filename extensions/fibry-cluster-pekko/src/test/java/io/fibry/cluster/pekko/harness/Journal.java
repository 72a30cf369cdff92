package io.fibry.cluster.pekko.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The events of a node, in a file. Each entry is a single write to the operating system, which survives a kill of this
 * process. The journal does not use a channel, because an interrupt of a handler would close it.
 */
final class Journal {

    /** The next id. Its start differs between processes. */
    private static final AtomicLong IDS = new AtomicLong(ProcessHandle.current().pid() << 32);

    private final String node;
    private final ReentrantLock lock = new ReentrantLock();

    /** The entities in memory, by instance. Guarded by the lock, as is the file. */
    private final Map<Long, Entry> open = new HashMap<>();

    private OutputStream file;

    Journal(String node, Path file) throws IOException {
        this.node = node;
        this.file = new FileOutputStream(file.toFile(), true);
    }

    static long nextId() {
        return IDS.incrementAndGet();
    }

    /**
     * Continues in another file. It starts with the entities in memory, so that it can be read without the previous
     * files.
     */
    void switchTo(Path next) throws IOException {
        lock.lock();
        try {
            file.close();
            file = new FileOutputStream(next.toFile(), true);
            for (Entry begun : open.values()) {
                file.write(begun.line().getBytes(UTF_8));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Records the start of an entity, and returns the id of its instance. */
    long begin(String key) {
        long instance = nextId();
        Entry entry = Entry.ofInstance(Entry.Kind.BEGIN, node, instance, key);
        lock.lock();
        try {
            open.put(instance, entry);
            write(entry);
        } finally {
            lock.unlock();
        }
        return instance;
    }

    void end(long instance, String key) {
        lock.lock();
        try {
            open.remove(instance);
            write(Entry.ofInstance(Entry.Kind.END, node, instance, key));
        } finally {
            lock.unlock();
        }
    }

    void handler(Entry.Kind kind, long instance, Message message) {
        write(Entry.ofHandler(kind, node, instance, message));
    }

    void sender(Entry.Kind kind, Message message, String text) {
        write(Entry.ofSender(kind, node, message, text));
    }

    void removed() {
        write(Entry.ofInstance(Entry.Kind.REMOVED, node, 0, "-"));
    }

    private void write(Entry entry) {
        byte[] line = entry.line().getBytes(UTF_8);
        lock.lock();
        try {
            file.write(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }
}
