package io.fibry.bench.latency;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Seen to fail: with one quiet round, with rounds that are not consecutive, with another share, without the limit. */
class WarmUpTest {

    /** Returns the number of rounds of a second, if the compilers use these times in turn, in milliseconds. */
    private static int rounds(long... compilations) {
        var total = new AtomicLong();
        int[] rounds = {0};
        WarmUp.repeat(
                Duration.ofSeconds(1),
                () -> total.addAndGet(compilations[rounds[0]++ % compilations.length]),
                total::get);
        return rounds[0];
    }

    @Test
    void endsAfterTwoConsecutiveQuietRounds() {
        assertEquals(2, rounds(0, 1, 900));
        assertEquals(5, rounds(900, 0, 900, 1, 1));
    }

    @Test
    void aRoundIsQuietBelowTheShare() {
        assertEquals(WarmUp.MAX_ROUNDS, rounds(2));
        assertEquals(2, rounds(1));
    }

    @Test
    void endsIfTheCompilersAreNeverIdle() {
        assertEquals(WarmUp.MAX_ROUNDS, rounds(900, 0));
    }
}
