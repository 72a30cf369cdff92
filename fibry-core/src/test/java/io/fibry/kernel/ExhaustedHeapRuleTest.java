package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Only these files catch an {@link OutOfMemoryError}, so that their number does not grow unnoticed. Other code repeats
 * a step with {@code OutOfMemory}, or lets the error end its operation. {@code docs/design.md} has the reasons.
 *
 * <p>Seen to fail: a further clause in {@code Timers}, also as an alternative of a clause for several exceptions.
 */
class ExhaustedHeapRuleTest {

    private static final Path SOURCES = Path.of("src/main/java/io/fibry");
    private static final Pattern CLAUSE = Pattern.compile("catch \\([^)]*\\bOutOfMemoryError\\b");

    private static final Map<String, Long> CLAUSES = new TreeMap<>(Map.ofEntries(
            Map.entry("dispatch/AlarmThreads", 1L),
            Map.entry("dispatch/KeptWorker", 2L),
            Map.entry("dispatch/LogContext", 1L),
            Map.entry("dispatch/Nesting", 1L),
            Map.entry("dispatch/OutOfMemory", 4L),
            Map.entry("dispatch/PoolDispatcher", 1L),
            Map.entry("dispatch/ThreadStart", 1L),
            Map.entry("dispatch/WorkerScheduler", 1L),
            Map.entry("http/EventStream", 1L),
            Map.entry("http/HttpServerLoop", 1L),
            Map.entry("http/Responder", 1L),
            Map.entry("kernel/Failures", 1L),
            Map.entry("kernel/InstrumentedHandling", 1L),
            Map.entry("kernel/KeepAlive", 1L),
            Map.entry("kernel/Stopping", 1L),
            Map.entry("kernel/SuspendedTurn", 1L),
            Map.entry("net/AcceptLoop", 1L),
            Map.entry("net/UdpLoop", 1L),
            Map.entry("sockets/SocketCheck", 1L),
            Map.entry("sockets/SocketProbe", 2L)));

    @Test
    void onlyTheListedFilesCatchAnExhaustedHeap() throws IOException {
        var found = new TreeMap<String, Long>();
        for (Path file : files()) {
            long clauses = CLAUSE.matcher(Files.readString(file)).results().count();
            if (clauses > 0) {
                String path = SOURCES.relativize(file).toString();
                found.put(path.substring(0, path.length() - ".java".length()).replace('\\', '/'), clauses);
            }
        }
        assertEquals(CLAUSES, found);
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(SOURCES)) {
            return all.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }
}
