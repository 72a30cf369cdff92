package io.fibry.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IdleClockTest {

    private static final long TIMEOUT = 16_000;

    private final IdleClock clock = new IdleClock(Duration.ofNanos(TIMEOUT));

    @Test
    void nothingIsIdleBeforeTheTimeout() {
        for (int i = 1; i <= 16; i++) {
            assertEquals(-1, clock.check(i * 1_000L));
        }
        assertEquals(0, clock.check(17_000)); // uses before the first check, which was at 1,000
        assertEquals(1, clock.check(18_000));
    }

    @Test
    void theTimeOfTheJvmMayBeNegative() {
        assertEquals(-1, clock.check(Long.MIN_VALUE + 1));
        assertEquals(0, clock.check(Long.MIN_VALUE + 1 + TIMEOUT));
    }

    @Test
    void theLongestTimeoutNeverEnds() {
        var forever = new IdleClock(Duration.ofSeconds(Long.MAX_VALUE));
        assertEquals(-1, forever.check(0));
        assertEquals(-1, forever.check(Duration.ofDays(3_650).toNanos()));
    }

    /** On a busy machine, checks are late: no use may become idle early, or later than the documented eighth. */
    @Test
    void lateChecksEndNoUseEarly() {
        long seed = System.nanoTime();
        var random = new Random(seed);
        List<Long> uses = new ArrayList<>(); // the real time of the last use with each time of the clock
        long previous = 0;
        for (int i = 0; i < 300; i++) {
            long now = previous + 1_000 + (random.nextInt(4) == 0 ? random.nextInt(40_000) : 0);
            uses.add(now - 1);
            assertEquals(i, clock.now());
            long idle = clock.check(now);
            for (int use = 0; use < uses.size(); use++) {
                long age = now - uses.get(use);
                boolean isRight = use <= idle ? age >= TIMEOUT : age <= TIMEOUT + 1_000;
                assertTrue(isRight, "seed " + seed + ", check " + i + ", use " + use + ", age " + age);
            }
            previous = now;
        }
    }
}
