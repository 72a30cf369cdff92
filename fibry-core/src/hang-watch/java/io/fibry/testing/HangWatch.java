package io.fibry.testing;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Halts the JVM if a test class does not end, and writes the stacks of all threads to a file in {@code target/hangs},
 * which {@code .ci/run} prints. The time limits of test methods cover neither constructors nor the class as a whole,
 * and cannot end a {@code join}, which ignores interrupts. The parent POM adds this class to the tests of all modules.
 */
public final class HangWatch implements BeforeAllCallback, AfterAllCallback {

    private static final Duration LIMIT = Duration.ofMinutes(10);

    private static final ExtensionContext.Namespace SPACE = ExtensionContext.Namespace.create(HangWatch.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        String name = context.getRequiredTestClass().getName();
        Thread watch = Thread.ofPlatform().daemon().name("hang-watch").start(() -> watch(name));
        context.getStore(SPACE).put("watch", watch);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Thread watch = context.getStore(SPACE).get("watch", Thread.class);
        if (watch != null) { // else beforeAll has failed
            watch.interrupt();
        }
    }

    private static void watch(String testClass) {
        try {
            Thread.sleep(LIMIT);
        } catch (InterruptedException ended) {
            return;
        }
        try {
            Path file = Files.createDirectories(Path.of("target", "hangs")).resolve(testClass + ".txt");
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(file.toAbsolutePath().toString(), ThreadDumpFormat.TEXT_PLAIN);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            Runtime.getRuntime().halt(1);
        }
    }
}
