package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fibry.examples.ab.Ab;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class AbTcpHelloTest {

    @Test
    void comparesBothStrategies() throws Exception {
        assumeTrue(new Ab(1).isInstalled(), "ab is not installed");
        try (var program = new Program("AbTcpHello", "1", "500")) {
            String output = program.rest();
            assertEquals(0, program.exitStatus(), output);
            assertTrue(output.contains("requests/s, 0 failed"), output);
            assertTrue(output.lines().toList().getLast().matches("ratio \\d+\\.\\d+"), output);
        }
    }

    @Test
    void aMissingAbIsReportedWithItsPackage(@TempDir Path empty) throws Exception {
        try (var program = new Program(Map.of("PATH", empty.toString()), "AbTcpHello")) {
            String output = program.rest();
            assertEquals(1, program.exitStatus(), output);
            assertTrue(output.contains("apt-get install apache2-utils"), output);
            assertFalse(output.contains("\tat "), output);
        }
    }
}
