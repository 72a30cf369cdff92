package io.fibry.durable;

import io.fibry.durable.DurableStore.StoredEvent;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterators;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the events of an entity in pages, and checks that none is missing. Confined to one thread. */
final class History<E> extends Spliterators.AbstractSpliterator<Recorded<E>> {

    private final EventLog<?, ?, E, ?> log;
    private final String key;
    private long version;
    private boolean mayBeginLater;
    private Iterator<StoredEvent> page = Collections.emptyIterator();
    private boolean isLastPage;

    /**
     * Begins after a version.
     *
     * @param mayBeginLater whether the first events may be missing, because they have been deleted
     */
    History(EventLog<?, ?, E, ?> log, String key, long after, boolean mayBeginLater) {
        super(Long.MAX_VALUE, ORDERED | NONNULL);
        this.log = log;
        this.key = key;
        version = after;
        this.mayBeginLater = mayBeginLater;
    }

    /** Continues with a page that has been read. */
    void continueWith(List<StoredEvent> events) {
        page = events.iterator();
        long bytes = events.stream().mapToLong(event -> event.event().length).sum();
        isLastPage = events.size() < DurableStore.PAGE_EVENTS && bytes < DurableStore.PAGE_BYTES;
    }

    /** @throws IllegalStateException if the store fails */
    @Override
    public boolean tryAdvance(Consumer<? super Recorded<E>> action) {
        Recorded<E> next;
        try {
            next = next();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new IllegalStateException("the events of " + name() + " cannot be read: " + e, e);
        }
        if (next == null) {
            return false;
        }
        action.accept(next);
        return true;
    }

    /**
     * Returns the next event, or null after the last one.
     *
     * @throws IllegalStateException if an event is missing or cannot be decoded
     * @throws Exception if the store fails
     */
    @Nullable
    Recorded<E> next() throws Exception {
        if (!page.hasNext() && !isLastPage) {
            continueWith(log.store().events(log.name(), key, version, DurableStore.PAGE_EVENTS));
        }
        if (!page.hasNext()) {
            return null;
        }
        StoredEvent next = page.next();
        if (!mayBeginLater && next.version() != version + 1) {
            throw new IllegalStateException("event " + (version + 1) + " of " + name() + " is missing");
        }
        mayBeginLater = false;
        version = next.version();
        return new Recorded<>(key, version, next.time(), decode(next));
    }

    private E decode(StoredEvent stored) {
        try {
            return log.events().decode(stored.event());
        } catch (RuntimeException e) { // a CodecException, or any other of a codec of the program
            throw new IllegalStateException(
                    "event " + stored.version() + " of " + name() + " cannot be decoded: " + e.getMessage(), e);
        }
    }

    private String name() {
        return log.name() + "/" + key;
    }
}
