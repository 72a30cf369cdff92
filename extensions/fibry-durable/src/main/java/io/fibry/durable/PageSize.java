package io.fibry.durable;

import io.fibry.durable.DurableStore.StoredEvent;
import java.util.List;

/**
 * The number of events of a type that are read at a time. It is chosen by the sizes of the events that have been read,
 * so that a page has a few megabytes: an event may have several, and the driver holds the whole page in memory.
 */
final class PageSize {

    private static final int MIN = 16;
    private static final int MAX = 1024;
    private static final long BYTES = 4 << 20;

    /** The mean size of an event of the last page, or of an earlier one if it was much larger. Races are harmless. */
    private volatile long eventBytes = BYTES / 64;

    /** Returns the maximum number of events of the next page. */
    int events() {
        return Math.clamp(BYTES / eventBytes, MIN, MAX);
    }

    /** Adapts the next pages to one that has been read. */
    void hasRead(List<StoredEvent> page) {
        if (!page.isEmpty()) {
            long bytes = page.stream().mapToLong(event -> event.event().length).sum();
            eventBytes = Math.max(Math.max(bytes / page.size(), eventBytes * 3 / 4), 1);
        }
    }
}
