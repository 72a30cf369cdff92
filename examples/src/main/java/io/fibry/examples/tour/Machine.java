package io.fibry.examples.tour;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** Describes the machine and the JVM of a measurement. */
public final class Machine {

    private Machine() {}

    public static String describe() {
        return "%s; %d cores; %s; %s %s; JDK %s (%s)"
                .formatted(
                        processor(),
                        Runtime.getRuntime().availableProcessors(),
                        memory(),
                        System.getProperty("os.name"),
                        System.getProperty("os.version"),
                        System.getProperty("java.vm.version"),
                        System.getProperty("java.vendor"));
    }

    private static String processor() {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException | RuntimeException notLinux) {
            return System.getProperty("os.arch");
        }
    }

    private static String memory() {
        String heap = gib(Runtime.getRuntime().maxMemory()) + " heap";
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os
                ? gib(os.getTotalMemorySize()) + " memory, " + heap
                : heap;
    }

    private static String gib(long bytes) {
        return "%.1f GiB".formatted(bytes / (double) (1 << 30));
    }
}
