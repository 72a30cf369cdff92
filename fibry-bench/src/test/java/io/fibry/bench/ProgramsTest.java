package io.fibry.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The programs that are no benchmarks of JMH run, with a part of their work, and see for themselves that it is done. */
@Timeout(60)
class ProgramsTest {

    private interface Program {
        void run() throws Exception;
    }

    @Test
    void aMillionActorsAreAlive() throws Exception {
        String output = output(() -> HundredMillion.main(new String[] {"1"}));
        assertTrue(output.startsWith("1 million actors, all alive after "), output);
    }

    @Test
    void coroutinesDelayOnEachDispatcher() throws Exception {
        String output = output(() -> TenMillionDelays.main(new String[] {"10000"}));
        assertEquals(
                5,
                output.lines().filter(l -> l.startsWith("10,000 coroutines, ")).count(),
                output);
    }

    private static String output(Program program) throws Exception {
        PrintStream before = System.out;
        var bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, UTF_8));
        try {
            program.run();
        } finally {
            System.setOut(before);
        }
        return bytes.toString(UTF_8);
    }
}
