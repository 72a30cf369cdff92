package io.fibry.flight;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The limit for events of one type.
 *
 * <p>Seen to fail: without a new second, and with a count that is never reset.
 */
class EventLimitTest {

    private static final long START = Long.MAX_VALUE - 5; // the clock may overflow

    private final EventLimit limit = new EventLimit(START);

    @Test
    void aThousandEventsPerSecondAreRecordedAndTheOthersCounted() {
        assertEquals(EventLimit.EVENTS, recorded(START, 3_000));
        assertEquals(2_000, limit.takeLeftOut());
        assertEquals(0, limit.takeLeftOut());
    }

    @Test
    void theNextSecondHasItsOwnLimit() {
        assertEquals(EventLimit.EVENTS, recorded(START, 1_500));
        assertEquals(10, recorded(START + TimeUnit.SECONDS.toNanos(1), 10));
        assertEquals(500, limit.takeLeftOut());
    }

    private long recorded(long time, int events) {
        return IntStream.range(0, events).filter(i -> limit.mayRecord(time)).count();
    }
}
