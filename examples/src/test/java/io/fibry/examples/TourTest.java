package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that the tour runs, not its speed. */
@Timeout(300)
class TourTest {

    @Test
    void measuresEveryRow() throws Exception {
        String output = Output.of(() -> Tour.main(new String[] {"20"}));
        assertFalse(output.contains("not measured"), output);
        assertFalse(output.contains("failed"), output);
        assertEquals(
                5, output.lines().filter(line -> line.matches(".* [\\d.,]+ x")).count(), output);
    }
}
