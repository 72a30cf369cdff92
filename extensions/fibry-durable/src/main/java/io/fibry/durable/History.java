package io.fibry.durable;

import io.fibry.codec.Codec;
import io.fibry.durable.DurableStore.StoredEvent;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterators;
import java.util.function.Consumer;

/** Reads the events of an entity in pages, and checks that none is missing. Confined to one thread. */
final class History<E> extends Spliterators.AbstractSpliterator<Recorded<E>> {

    private static final int PAGE = 1000;

    private final DurableStore store;
    private final String type;
    private final String key;
    private final Codec<E> events;
    private long version;
    private boolean mayBeginLater;
    private Iterator<StoredEvent> page = List.<StoredEvent>of().iterator();
    private boolean isLastPage;

    /**
     * Begins after a version.
     *
     * @param mayBeginLater whether the first events may be missing, because they have been deleted
     */
    History(DurableStore store, String type, String key, Codec<E> events, long after, boolean mayBeginLater) {
        super(Long.MAX_VALUE, ORDERED | NONNULL);
        this.store = store;
        this.type = type;
        this.key = key;
        this.events = events;
        version = after;
        this.mayBeginLater = mayBeginLater;
    }

    @Override
    public boolean tryAdvance(Consumer<? super Recorded<E>> action) {
        if (!page.hasNext() && !isLastPage) {
            List<StoredEvent> read = read();
            isLastPage = read.size() < PAGE;
            page = read.iterator();
        }
        if (!page.hasNext()) {
            return false;
        }
        StoredEvent next = page.next();
        if (!mayBeginLater && next.version() != version + 1) {
            throw new IllegalStateException("event " + (version + 1) + " of " + type + "/" + key + " is missing");
        }
        mayBeginLater = false;
        version = next.version();
        action.accept(new Recorded<>(key, version, next.time(), decode(next)));
        return true;
    }

    private List<StoredEvent> read() {
        try {
            return store.events(type, key, version, PAGE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the events of " + type + "/" + key + " were read", e);
        } catch (Exception e) {
            throw new IllegalStateException(
                    "the events of " + type + "/" + key + " cannot be read: " + e.getMessage(), e);
        }
    }

    private E decode(StoredEvent stored) {
        try {
            return events.decode(stored.event());
        } catch (RuntimeException e) { // a CodecException, or any other of a codec of the program
            throw new IllegalStateException(
                    "event " + stored.version() + " of " + type + "/" + key + " cannot be decoded: " + e.getMessage(),
                    e);
        }
    }
}
