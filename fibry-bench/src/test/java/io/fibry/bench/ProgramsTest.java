package io.fibry.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The programs other than JMH benchmarks run with reduced work, and check their results themselves. */
@Timeout(60)
class ProgramsTest {

    @Test
    void aMillionActorsAreAlive() throws Exception {
        String output = Output.of(() -> HundredMillion.main(new String[] {"1"}));
        assertTrue(output.startsWith("1 million actors, all alive after "), output);
    }

    @Test
    void coroutinesDelayOnEachDispatcher() throws Exception {
        String output = Output.of(() -> TenMillionDelays.main(new String[] {"10000"}));
        assertEquals(
                5,
                output.lines().filter(l -> l.startsWith("10,000 coroutines, ")).count(),
                output);
    }

    @Test
    void requestsOfCoroutinesAreCompared() throws Exception {
        String output = Output.of(() -> SuspendingRequests.main(new String[] {"100", "3"}));
        assertTrue(output.startsWith("kotlinx on Dispatchers.Default "), output);
        assertEquals(22, output.lines().count(), output);
    }
}
