package io.fibry.cluster.pekko.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The wall clock of a node, which can be set. The monotonic clock is not affected. It needs the library of the Debian
 * package {@code libfaketime}.
 */
final class WallClock {

    private static final @Nullable Path LIBRARY = library();

    private final Path file;

    /** @param file contains the difference to the clock of this machine */
    WallClock(Path file) throws IOException {
        this.file = file;
        set(Duration.ZERO);
    }

    static boolean isAvailable() {
        return LIBRARY != null;
    }

    private static @Nullable Path library() {
        Path libraries = Path.of("/usr/lib");
        if (!Files.isDirectory(libraries)) {
            return null;
        }
        try (Stream<Path> folders = Files.list(libraries)) {
            return folders.map(folder -> folder.resolve("faketime").resolve("libfaketime.so.1"))
                    .filter(Files::exists)
                    .findFirst()
                    .orElse(null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sets the difference to the clock of this machine. It takes effect within about a second. */
    void set(Duration difference) throws IOException {
        long seconds = difference.toSeconds();
        Files.writeString(file, (seconds < 0 ? "" : "+") + seconds + "\n", UTF_8);
    }

    /**
     * Returns the environment of a process with this clock. Without the third variable, the library changes the
     * deadlines of timed waits of the JVM, which then spins.
     */
    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD",
                String.valueOf(LIBRARY),
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0",
                "FAKETIME_CACHE_DURATION",
                "1",
                "FAKETIME_TIMESTAMP_FILE",
                file.toString());
    }
}
