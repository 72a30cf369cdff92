package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file of states on a full disk, in a mount namespace of its own. Skipped where the machine does not allow one. */
@Timeout(180)
class FullDiskTest {

    private static final String MOUNT = "mount -t tmpfs -o size=24m tmpfs \"$0\" && exec \"$@\"";

    @TempDir
    private Path folder;

    @Test
    void confirmedStatesSurviveAFullDisk() throws Exception {
        Assumptions.assumeTrue(run("true").exit() == 0, "file systems cannot be mounted");
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Result result = run(
                java.toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                FullDisk.class.getName(),
                folder.toString());
        assertEquals(0, result.exit(), result.output());
        assertTrue(result.output().endsWith("complete\n"), result.output());
        try (var left = Files.list(folder)) {
            assertEquals(0, left.count(), "the file system of the test was not mounted");
        }
    }

    private record Result(int exit, String output) {}

    /** Runs a program while a small file system is mounted at the folder. Only that program sees it. */
    private Result run(String... program) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("unshare", "--map-root-user", "--mount", "sh", "-c", MOUNT, folder.toString()));
        command.addAll(List.of(program));
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            return new Result(1, "unshare is not installed: " + e);
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output);
    }
}
