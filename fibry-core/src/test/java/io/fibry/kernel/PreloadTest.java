package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every class of the kernel is loaded before the heap can be full. The build writes the list. */
class PreloadTest {

    @Test
    void theListHasAllClasses() throws Exception {
        Path root = Path.of(Preload.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .resolve("io/fibry");
        Set<String> all = new TreeSet<>();
        addClasses(all, "", root);
        addClasses(all, "kernel.", root.resolve("kernel"));
        addClasses(all, "dispatch.", root.resolve("dispatch"));
        all.removeAll(Set.of("package-info", "kernel.package-info", "dispatch.package-info", "kernel.Preload"));
        all.add("flight.PlainText"); // for log lines; the events need the module jdk.jfr
        all.remove("kernel.Jmx"); // used at the start, if at all, and not in every runtime
        assertEquals(all, new TreeSet<>(Preload.names()));
    }

    private static void addClasses(Set<String> all, String prefix, Path directory) throws IOException {
        try (var files = Files.newDirectoryStream(directory, "*.class")) {
            files.forEach(file -> all.add(prefix + file.getFileName().toString().replace(".class", "")));
        }
    }
}
