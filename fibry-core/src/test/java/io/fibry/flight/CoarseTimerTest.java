package io.fibry.flight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A timer of events that the test ticks, with the thresholds of a recording. Only the ages of events are real.
 *
 * <p>Seen to fail: with a decision about the threshold after a delay, without one, with a result that is kept for the
 * next tick, without the event at the end of a moment, and without the limit.
 */
@Timeout(60)
class CoarseTimerTest {

    private static final Duration NEVER = Duration.ofHours(1);

    private final Recording recording = new Recording();
    private final CoarseTimer timer = new CoarseTimer(RunEvent::new);
    private long nanoTime;

    @BeforeEach
    void start() {
        recording.enable(RunEvent.class).withThreshold(NEVER);
        recording.start();
    }

    @AfterEach
    void stop() {
        recording.close();
    }

    private boolean tickAfter(long millis) {
        nanoTime += TimeUnit.MILLISECONDS.toNanos(millis);
        return timer.tick(nanoTime);
    }

    private Moment coarseMoment() {
        tickAfter(1);
        tickAfter(6);
        return current();
    }

    private Moment current() {
        @Nullable Moment current = timer.current();
        assertNotNull(current);
        return current;
    }

    private void threshold(Duration threshold) {
        recording.enable(RunEvent.class).withThreshold(threshold);
    }

    @Test
    void timesAreExactUntilTheThresholdIsFound() {
        tickAfter(1);
        assertNull(timer.current());
        tickAfter(3);
        assertNull(timer.current());
        tickAfter(3);
        assertNotNull(timer.current());
    }

    @Test
    void aShortThresholdRequiresExactTimes() {
        threshold(Duration.ZERO);
        for (int i = 0; i < 20; i++) {
            tickAfter(1);
            assertNull(timer.current());
        }
        threshold(NEVER);
        IntStream.range(0, 12).forEach(i -> tickAfter(1));
        assertNotNull(timer.current());
        threshold(Duration.ZERO);
        IntStream.range(0, 12).forEach(i -> tickAfter(1));
        assertNull(timer.current());
    }

    /** The age of the probe is then above most thresholds. */
    @Test
    void aDelayedTickDecidesNothing() {
        tickAfter(1);
        tickAfter(50);
        assertNull(timer.current());
        tickAfter(6);
        assertNotNull(timer.current());
        threshold(Duration.ZERO);
        tickAfter(50);
        assertNotNull(timer.current());
    }

    @Test
    void whatEndsInItsTickIsNoEvent() {
        threshold(NEVER);
        Moment moment = coarseMoment();
        threshold(Duration.ZERO);
        assertNull(timer.end(moment));
    }

    @Test
    void whatIsBelowTheThresholdIsNoEvent() {
        Moment moment = coarseMoment();
        tickAfter(1);
        assertNull(timer.end(moment));
    }

    @Test
    void whatIsAboveTheThresholdIsAnEventThatBeginsWithTheNextTick() {
        Moment moment = coarseMoment();
        tickAfter(1);
        assertNull(timer.end(moment));
        threshold(Duration.ZERO);
        assertNull(timer.end(moment)); // the result of this tick
        tickAfter(1);
        assertSame(RunEvent.class, assertNotNullEvent(timer.end(moment)).getClass());
        assertNull(timer.end(current()));
    }

    private static ActorEvent assertNotNullEvent(@Nullable ActorEvent event) {
        assertNotNull(event);
        return event;
    }

    @Test
    void whatEndsAfterTheTimerHasStoppedIsAnEvent() {
        Moment moment = coarseMoment();
        timer.stop();
        assertNull(timer.current());
        assertNull(timer.end(moment));
        threshold(Duration.ZERO);
        assertNotNull(timer.end(moment));
    }

    @Test
    void thereIsNoEventIfTheyAreDisabled() {
        Moment moment = coarseMoment();
        recording.disable(RunEvent.class);
        assertEquals(false, tickAfter(1));
        assertNull(timer.current());
        assertNull(timer.end(moment));
    }

    @Test
    void eventsAreLimited() {
        Moment moment = coarseMoment();
        threshold(Duration.ZERO);
        tickAfter(1);
        nanoTime = System.nanoTime(); // as the limit
        timer.tick(nanoTime);
        current();
        long events = IntStream.range(0, 3 * EventLimit.EVENTS)
                .filter(i -> timer.end(moment) != null)
                .count();
        assertEquals(EventLimit.EVENTS, events);
    }
}
