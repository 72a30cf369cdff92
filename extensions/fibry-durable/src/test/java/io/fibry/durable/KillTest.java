package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes write to one file, and are killed like by {@code kill -9}, starting with the process that serves the
 * file. {@code -Dfibry.killRounds=20} runs the long form.
 */
@Timeout(value = 30, unit = java.util.concurrent.TimeUnit.MINUTES)
class KillTest {

    private static final int ROUNDS = Integer.getInteger("fibry.killRounds", 1);

    @TempDir
    Path directory;

    private final List<Writer> writers = new ArrayList<>();

    @AfterEach
    void killAll() {
        writers.forEach(Writer::kill);
    }

    @Test
    void confirmedWritesSurviveAKill() throws Exception {
        for (int i = 0; i < 3; i++) {
            var writer = new Writer(directory.resolve("state"), "key" + i, 0);
            writers.add(writer);
            writer.awaitConfirmed(20); // the first process therefore serves the file
        }
        var random = new Random(1);
        for (int round = 0; round < ROUNDS; round++) {
            for (Writer writer : writers) {
                writer.awaitConfirmed(writer.confirmed() + random.nextInt(50));
            }
            int index = round == 0 ? 0 : random.nextInt(3);
            Writer victim = writers.get(index);
            victim.kill();
            for (Writer writer : writers) {
                if (writer != victim) {
                    writer.awaitConfirmed(writer.confirmed() + 5); // continues with any server
                }
            }
            writers.set(index, new Writer(directory.resolve("state"), victim.key, victim.confirmed()));
            writers.get(index).awaitConfirmed(victim.confirmed() + 5);
        }
        killAll();
        try (var store = JdbcStore.h2(directory.resolve("state"))) {
            for (Writer writer : writers) {
                DurableStore.Stored stored = store.load("count", writer.key);
                writer.check(stored.revision());
                assertEquals(
                        stored.revision(),
                        KilledWriter.CODEC.decode(stored.state()).value());
            }
        }
    }

    /** A process with a {@link KilledWriter}. */
    private static final class Writer {

        final String key;
        private final Process process;
        private final Thread reader;
        private long confirmed;
        private String error = "";

        Writer(Path file, String key, long confirmed) throws IOException {
            this.key = key;
            this.confirmed = confirmed;
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-Xmx128m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            KilledWriter.class.getName(),
                            file.toString(),
                            key)
                    .redirectErrorStream(true)
                    .start();
            reader = Thread.ofPlatform().daemon().start(this::read);
        }

        private void read() {
            var other = new StringBuilder();
            try (BufferedReader lines = process.inputReader()) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith("confirmed ")) {
                        confirm(Long.parseLong(line.substring("confirmed ".length())));
                    } else if (line.startsWith("begins ")) {
                        check(Long.parseLong(line.substring("begins ".length())));
                    } else {
                        other.append(line).append('\n');
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (AssertionError e) {
                other.append(e);
            } finally {
                ended(other.toString());
            }
        }

        private synchronized void confirm(long value) {
            assertTrue(value > confirmed, () -> key + ": " + value + " confirmed after " + confirmed);
            confirmed = value;
            notifyAll();
        }

        private synchronized void ended(String text) {
            error = key + " has ended: " + text;
            notifyAll();
        }

        /** A save that was in progress at the kill may also have been stored. */
        synchronized void check(long stored) {
            assertTrue(
                    stored == confirmed || stored == confirmed + 1,
                    () -> key + ": " + stored + " stored, " + confirmed + " confirmed");
            confirmed = stored;
        }

        synchronized long confirmed() {
            return confirmed;
        }

        synchronized void awaitConfirmed(long value) throws InterruptedException {
            while (confirmed < value) {
                assertEquals("", error);
                wait();
            }
        }

        void kill() {
            process.toHandle().destroyForcibly();
            try {
                reader.join(); // all confirmations so far have been read
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            assertTrue(!error.contains("AssertionError") && !error.contains("AssertionFailedError"), error);
        }
    }
}
