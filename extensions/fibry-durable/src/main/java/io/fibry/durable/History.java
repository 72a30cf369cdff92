package io.fibry.durable;

import io.fibry.codec.Codec;
import io.fibry.durable.DurableStore.StoredEvent;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterators;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the events of an entity in pages, and checks that none is missing. Confined to one thread. */
final class History<E> extends Spliterators.AbstractSpliterator<Recorded<E>> {

    private static final int PAGE = 1024;

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
            throw new IllegalStateException("the events of " + type + "/" + key + " cannot be read: " + e, e);
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
            List<StoredEvent> read = store.events(type, key, version, PAGE);
            isLastPage = read.size() < PAGE;
            page = read.iterator();
        }
        if (!page.hasNext()) {
            return null;
        }
        StoredEvent next = page.next();
        if (!mayBeginLater && next.version() != version + 1) {
            throw new IllegalStateException("event " + (version + 1) + " of " + type + "/" + key + " is missing");
        }
        mayBeginLater = false;
        version = next.version();
        return new Recorded<>(key, version, next.time(), decode(next));
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
