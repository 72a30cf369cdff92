package io.fibry.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The voluntary context switches of this process, on Linux. A thread that blocks causes one, and has to be woken
 * afterwards: the number of switches is also the number of wake-ups.
 */
public final class ContextSwitches {

    private static final Path THREADS = Path.of("/proc/self/task");
    private static final String LINE = "voluntary_ctxt_switches:";

    private ContextSwitches() {}

    /** Returns whether the system has these numbers. */
    public static boolean areKnown() {
        return Files.exists(THREADS);
    }

    /** Returns the sum over the living threads; 0 if the system does not have these numbers. */
    public static long voluntary() {
        long sum = 0;
        if (areKnown()) {
            try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
                for (Path thread : threads) {
                    sum += voluntary(thread);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return sum;
    }

    private static long voluntary(Path thread) {
        try {
            return Files.readAllLines(thread.resolve("status")).stream()
                    .filter(line -> line.startsWith(LINE))
                    .mapToLong(
                            line -> Long.parseLong(line.substring(LINE.length()).strip()))
                    .sum();
        } catch (IOException e) {
            return 0; // the thread has ended
        }
    }
}
