package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** After a test class no thread of the library is left, platform or virtual. */
final class LeakCheck implements AfterAllCallback {

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        long start = System.nanoTime();
        List<String> left = libraryThreads();
        while (!left.isEmpty() && System.nanoTime() - start < Await.LIMIT.toNanos()) {
            LockSupport.parkNanos(1_000_000); // those that have nothing to do any more are about to end
            left = libraryThreads();
        }
        assertEquals(List.of(), left, "threads of the library");
    }

    private static List<String> libraryThreads() throws IOException {
        Stream<String> platform = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getUncaughtExceptionHandler() instanceof PlatformThread
                        || thread.getName().startsWith("fibry"))
                .map(Thread::toString);
        return Stream.concat(platform, virtualThreads().filter(line -> line.contains("\"fibry-worker\"")))
                .toList();
    }

    /** Only a thread dump knows virtual threads. */
    private static Stream<String> virtualThreads() throws IOException {
        Path directory = Files.createTempDirectory("threads");
        Path dump = directory.resolve("dump.txt");
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(dump.toString(), ThreadDumpFormat.TEXT_PLAIN);
            return Files.readAllLines(dump).stream().filter(line -> line.startsWith("#"));
        } finally {
            Files.deleteIfExists(dump);
            Files.deleteIfExists(directory);
        }
    }
}
