package io.fibry.bench.net;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.bench.Output;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs run with a small load, and print their figures. */
@Timeout(120)
class ProgramsRunTest {

    private static double figure(String output, String regex) {
        var matcher = Pattern.compile(regex).matcher(output);
        assertTrue(matcher.find(), output);
        return Double.parseDouble(matcher.group(1).replace(",", ""));
    }

    @Test
    void idleConnectionsAreCountedInBytes() throws Exception {
        String output = Output.of(() -> IdleConnections.main(new String[] {"200", "1"}));
        double bare = figure(output, "bare virtual threads +([\\d,]+)");
        assertTrue(bare > 100 && bare < 100_000, output);
        assertTrue(figure(output, "ratio +([\\d.]+)") > 0, output);
    }

    @Test
    void idleWebSocketsAreCountedInBytes() throws Exception {
        String output = Output.of(() -> IdleWebSockets.main(new String[] {"200", "1"}));
        double bare = figure(output, "Helidon alone +([\\d,]+)");
        assertTrue(bare > 100 && bare < 100_000, output);
        assertTrue(figure(output, "ratio +([\\d.]+)") > 0, output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "busy"})
    void aCrowdIsRefusedAndTheOthersAreServed(String kind) throws Exception {
        String output = crowd(kind, 0.2);
        // On a loaded machine, the crowd may not connect within the shortest time.
        for (double seconds = 1; seconds < 30 && refused(output) == 0; seconds *= 5) {
            output = crowd(kind, seconds);
        }
        assertTrue(figure(output, "alone +([\\d,]+) requests/s") > 0, output);
        assertTrue(figure(output, "the crowd at this server +([\\d,]+)") > 0, output);
        assertTrue(refused(output) > 0, output);
    }

    private static String crowd(String kind, double seconds) throws Exception {
        return Output.of(() -> Overload.main(new String[] {kind, String.valueOf(seconds), "1", "200"}));
    }

    private static double refused(String output) {
        return figure(output, "([\\d,]+) refused/s");
    }
}
