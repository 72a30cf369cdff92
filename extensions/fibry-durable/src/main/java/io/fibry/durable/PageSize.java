package io.fibry.durable;

import io.fibry.durable.DurableStore.StoredEvent;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The number of events that are read at a time, chosen so that a page has at most about four megabytes: the driver
 * holds a whole page in memory. The size of the events of an entity is known after its first page. The first page of an
 * entity is chosen by the pages of others, and is larger if its events are. Safe for use by any thread.
 */
final class PageSize {

    private static final int MIN = 16;
    private static final int MAX = 1024;
    private static final long BYTES = 4 << 20;

    /** The mean size of an event of the last page, or of an earlier one if it was much larger. */
    private final AtomicLong eventBytes;

    /** Begins with pages of 64 events. */
    PageSize() {
        this(BYTES / 64);
    }

    private PageSize(long eventBytes) {
        this.eventBytes = new AtomicLong(eventBytes);
    }

    /** Returns the page size of another entity, which begins with the present one. */
    PageSize copy() {
        return new PageSize(eventBytes.get());
    }

    /** Returns the maximum number of events of the next page. */
    int events() {
        return Math.clamp(BYTES / eventBytes.get(), MIN, MAX);
    }

    /** Adapts the next pages to one that has been read. */
    void hasRead(List<StoredEvent> page) {
        if (!page.isEmpty()) {
            long bytes = page.stream().mapToLong(event -> event.event().length).sum();
            long mean = Math.max(bytes / page.size(), 1);
            eventBytes.updateAndGet(before -> Math.max(mean, before * 3 / 4));
        }
    }
}
