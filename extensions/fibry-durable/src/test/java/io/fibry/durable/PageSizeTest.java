package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.durable.DurableStore.StoredEvent;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PageSizeTest {

    private final PageSize size = new PageSize();

    private void read(int events, int bytes) {
        size.hasRead(IntStream.range(0, events)
                .mapToObj(i -> new StoredEvent(i, Instant.EPOCH, new byte[bytes]))
                .toList());
    }

    @Test
    void aPageHasFourMegabytes() {
        assertEquals(64, size.events());
        read(10, 1 << 20);
        assertEquals(16, size.events());
        for (int i = 0; i < 100; i++) {
            read(100, 40_000);
        }
        assertEquals((4 << 20) / 40_000, size.events());
    }

    @Test
    void smallEventsAreLimitedByNumber() {
        for (int i = 0; i < 100; i++) {
            read(100, i % 2);
            size.hasRead(List.of());
        }
        assertEquals(1024, size.events());
    }

    /** Others have read small events meanwhile. */
    @Test
    void theSizeOfAnEntityIsItsOwn() {
        PageSize own = size.copy();
        own.hasRead(List.of(new StoredEvent(1, Instant.EPOCH, new byte[1 << 20])));
        for (int i = 0; i < 100; i++) {
            read(100, 10);
        }
        assertEquals(16, own.events());
        assertEquals(1024, size.copy().events());
    }

    /** The next entity may have large events again. */
    @Test
    void aPageGrowsSlowlyAfterLargeEvents() {
        read(10, 1 << 20);
        read(10, 100);
        assertTrue(size.events() <= 16);
        read(1, 100);
        assertTrue(size.events() <= 16);
        for (int i = 0; i < 30; i++) {
            read(10, 100);
        }
        assertEquals(1024, size.events());
    }
}
