package io.fibry.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The program runs, with a hundredth of its actors, and sees that they live. */
@Timeout(60)
class HundredMillionTest {

    @Test
    void aMillionActorsAreAlive() throws Exception {
        PrintStream before = System.out;
        var bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, UTF_8));
        try {
            HundredMillion.main(new String[] {"1"});
        } finally {
            System.setOut(before);
        }
        String output = bytes.toString(UTF_8);
        assertTrue(output.startsWith("1 million actors, all alive after "), output);
    }
}
