package io.fibry.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class YieldTimerTest {

    private long now = 1_000;
    private YieldTimer timer = new YieldTimer(now);
    private int readings;
    private int yields;

    @Test
    void shortTurnsYieldOncePerIntervalAndRarelyReadTheClock() {
        run(1_000_000, 40);
        long intervals = 1_000_000L * 40 / YieldTimer.INTERVAL_NANOS;
        assertBetween(intervals * 4 / 5, intervals, yields);
        assertTrue(readings < 1_000_000 / 500, "readings: " + readings);
    }

    @Test
    void turnsOfSomeMicrosecondsYieldOncePerInterval() {
        run(10_000, 40_000);
        assertBetween(
                10_000L * 40_000 / YieldTimer.INTERVAL_NANOS - 1, 10_000L * 40_000 / YieldTimer.INTERVAL_NANOS, yields);
    }

    @Test
    void turnsLongerThanAnIntervalYieldEachTime() {
        run(100, 10 * YieldTimer.INTERVAL_NANOS);
        assertEquals(100, yields);
    }

    @Test
    void longTurnsAfterShortOnesAreNoticedAtTheNextReading() {
        run(1_000_000, 20);
        yields = 0;
        run(2 * YieldTimer.MAX_TURNS, YieldTimer.INTERVAL_NANOS);
        assertTrue(yields > YieldTimer.MAX_TURNS, "yields: " + yields);
    }

    @Test
    void theFirstTurnsDoNotYield() {
        now = Long.MAX_VALUE - 500; // System.nanoTime may overflow
        timer = new YieldTimer(now);
        run(1_000, 40);
        assertEquals(0, yields);
    }

    @Test
    void shortTurnsAfterLongOnesReadTheClockRarelyAgain() {
        run(100, 10 * YieldTimer.INTERVAL_NANOS);
        readings = 0;
        run(100_000, 40);
        assertTrue(readings < 300, "readings: " + readings);
    }

    private void run(int turns, long nanos) {
        for (int i = 0; i < turns; i++) {
            now += nanos;
            if (timer.isReadingDue()) {
                readings++;
                if (timer.isYieldDue(now)) {
                    yields++;
                }
            }
        }
    }

    private static void assertBetween(long least, long most, long actual) {
        assertTrue(least <= actual && actual <= most, actual + " is not between " + least + " and " + most);
    }
}
