package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Backoff;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The lengths of the pauses before restarts. */
class BackoffTest {

    private static final long SEED = 20_260_201;

    @Test
    void pausesDoubleUpToTheMaximumAndVaryByUpToAHalf() {
        var random = new Random(SEED);
        var backoff = new Backoff(Duration.ofMillis(10), Duration.ofMillis(65));
        long[] wanted = {10, 20, 40, 65, 65, 65};
        for (int number = 1; number <= wanted.length; number++) {
            long whole = Duration.ofMillis(wanted[number - 1]).toNanos();
            for (int i = 0; i < 1_000; i++) {
                long nanos = RestartHistory.pause(backoff, number, random).toNanos();
                assertTrue(nanos <= whole && nanos >= whole - whole / 2, number + ": " + nanos);
            }
        }
    }

    @Test
    void thePausesFillTheirWholeRange() {
        var random = new Random(SEED);
        var backoff = new Backoff(Duration.ofNanos(4), Duration.ofNanos(4));
        long[] seen = LongStream.range(0, 1_000)
                .map(i -> RestartHistory.pause(backoff, 1, random).toNanos())
                .distinct()
                .sorted()
                .toArray();
        assertEquals("[2, 3, 4]", Arrays.toString(seen));
    }

    @Test
    void theSameRandomValueGivesTheSamePause() {
        var backoff = new Backoff(Duration.ofMillis(10), Duration.ofSeconds(1));
        assertEquals(
                RestartHistory.pause(backoff, 3, new Random(SEED)), RestartHistory.pause(backoff, 3, new Random(SEED)));
    }

    @Test
    void noPauseIsZeroAndNoneOverflows() {
        var random = new Random(SEED);
        var shortest = new Backoff(Duration.ofNanos(1), Duration.ofNanos(1));
        assertEquals(Duration.ofNanos(1), RestartHistory.pause(shortest, 1, random));
        var longest = Duration.ofSeconds(Long.MAX_VALUE);
        for (int number : new int[] {1, 2, 64, 65, 2_000, Integer.MAX_VALUE}) {
            assertTrue(RestartHistory.pause(new Backoff(longest, longest), number, random)
                            .toNanos()
                    >= Long.MAX_VALUE / 2);
            Duration grown = RestartHistory.pause(new Backoff(Duration.ofNanos(1), Duration.ofDays(1)), number, random);
            assertTrue(grown.isPositive() && grown.compareTo(Duration.ofDays(1)) <= 0, grown::toString);
        }
    }

    @Test
    void invalidPausesAreRefused() {
        for (Duration[] wrong : new Duration[][] {
            {Duration.ZERO, Duration.ofSeconds(1)},
            {Duration.ofSeconds(-1), Duration.ofSeconds(1)},
            {Duration.ofSeconds(2), Duration.ofSeconds(1)}
        }) {
            var thrown = assertThrows(IllegalArgumentException.class, () -> new Backoff(wrong[0], wrong[1]));
            assertTrue(thrown.getMessage().contains(wrong[0].toString()), thrown::getMessage);
        }
    }
}
