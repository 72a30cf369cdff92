package io.fibry.sockets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** In a separate JVM, whose pollers end. {@code SocketCheckTest} has the other tests of the check. */
@Timeout(180)
class HelidonSocketCheckTest {

    @Test
    void aServerWhosePollersHaveEndedClosesItsPortAndFails(@TempDir Path directory) throws Exception {
        Path output = directory.resolve("out");
        Path log = directory.resolve("log");
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HelidonWithoutPollers.class.getName())
                .redirectOutput(output.toFile())
                .redirectError(log.toFile())
                .start();
        try {
            boolean ended = program.waitFor(150, TimeUnit.SECONDS);
            assertTrue(ended, () -> "the program does not end");
            assertEquals(
                    List.of(
                            "FAILED, restart the JVM",
                            "the port is free",
                            "the session has ended: true",
                            "another server: restart the JVM",
                            "closed: true"),
                    Files.readAllLines(output),
                    Files.readString(log));
        } finally {
            program.destroyForcibly().waitFor();
        }
    }
}
