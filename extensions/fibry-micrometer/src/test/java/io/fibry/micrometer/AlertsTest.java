package io.fibry.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The alerts, by the tool of Prometheus. Seen to fail: with a syntax error, with other limits, and without the time
 * after which they are raised.
 */
@Timeout(60)
class AlertsTest {

    private static final String TESTS = "fibry-alerts-test.yml";

    @TempDir
    private Path directory;

    private Path alerts;

    @BeforeEach
    void copy() throws IOException {
        alerts = Prometheus.copyAlerts(directory);
        try (InputStream in = AlertsTest.class.getResourceAsStream("/" + TESTS)) {
            Files.copy(in, directory.resolve(TESTS));
        }
    }

    private void promtool(String... arguments) throws Exception {
        var command = new ArrayList<>(List.of(Prometheus.find("promtool")));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
    }

    @Test
    void theRulesAreValid() throws Exception {
        promtool("check", "rules", alerts.toString());
    }

    @Test
    void eachAlertIsRaisedWhenItShouldBe() throws Exception {
        promtool("test", "rules", TESTS);
    }

    @Test
    void eachAlertHasATestALimitAndTexts() throws IOException {
        String rules = Files.readString(alerts);
        String tests = Files.readString(directory.resolve(TESTS));
        List<String> names = Pattern.compile("- alert: (\\w+)\n")
                .matcher(rules)
                .results()
                .map(match -> match.group(1))
                .toList();
        assertEquals(
                List.of(
                        "FibryOldMessage",
                        "FibryStuckHandler",
                        "FibryMailboxGrowth",
                        "FibryDeadLetters",
                        "FibryRestarts"),
                names);
        String[] each = rules.split("- alert: ", -1);
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            assertTrue(each[i + 1].contains("summary: ") && each[i + 1].contains("description: "), name);
            assertTrue(tests.matches("(?s).*alertname: " + name + "\n[^\n]*\n +exp_alerts: \\[].*"), name);
            assertTrue(tests.matches("(?s).*alertname: " + name + "\n[^\n]*\n +exp_alerts:\n.*"), name);
        }
    }
}
