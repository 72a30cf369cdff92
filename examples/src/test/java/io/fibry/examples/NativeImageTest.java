package io.fibry.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.json.Json;

/**
 * The metadata for native images agrees with the code. If {@code native-image} is installed, an example is compiled
 * with it, too.
 */
class NativeImageTest {

    private static final Pattern REFLECTION =
            Pattern.compile("getResourceAsStream\\(|Class\\.forName\\(|Proxy\\.newProxyInstance\\(|registerMBean\\(");

    /** Reflection that needs no metadata. */
    private static final List<String> OPTIONAL = List.of(
            "Preload.java", // loads classes early, which an image does not need
            "SimulatedProcess.java", // for tests
            "WaitingThreads.java"); // assumes that threads wait if it cannot count them

    private static Path module(String name) {
        return Markdown.PROJECT.resolve(name).normalize();
    }

    /** Returns the entries of a part of the metadata, {@code resources} or {@code reflection}. */
    private static List<Map<?, ?>> metadata(String module, String part) throws IOException {
        Path file = module(module)
                .resolve("src/main/resources/META-INF/native-image/io.fibry")
                .resolve(Path.of(module).getFileName())
                .resolve("reachability-metadata.json");
        Map<String, Object> metadata = new Json().toType(Files.readString(file), Json.MAP_TYPE);
        List<Map<?, ?>> entries = new ArrayList<>();
        for (Object entry : (List<?>) Objects.requireNonNull(metadata.get(part), part)) {
            entries.add((Map<?, ?>) entry);
        }
        return entries;
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fibry-core", "extensions/fibry-durable"})
    void allResourcesAreIncluded(String module) throws IOException {
        Path folder = module(module).resolve("src/main/resources");
        var missing = new TreeSet<String>();
        var found = new TreeSet<String>();
        for (Path file : files(folder.resolve("io"))) {
            String name = folder.relativize(file).toString();
            boolean isIncluded = false;
            for (Map<?, ?> resource : metadata(module, "resources")) {
                String glob = (String) resource.get("glob");
                PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
                if (matcher.matches(Path.of(name))) {
                    isIncluded = true;
                    found.add(glob);
                }
            }
            if (!isIncluded) {
                missing.add(name);
            }
        }
        assertEquals(new TreeSet<>(), missing);
        assertEquals(metadata(module, "resources").size(), found.size(), () -> "only these match: " + found);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fibry-core", "extensions/fibry-durable"})
    void allTypesExist(String module) throws Exception {
        for (Map<?, ?> entry : metadata(module, "reflection")) {
            Object type = entry.get("type");
            if (type instanceof Map<?, ?> proxy) {
                for (Object proxied : (List<?>) proxy.get("proxy")) {
                    assertTrue(Class.forName((String) proxied).isInterface(), proxied::toString);
                }
            } else {
                Class.forName((String) type, false, NativeImageTest.class.getClassLoader());
            }
        }
    }

    /** A new use of reflection needs an entry in the metadata, and then in this list. */
    @ParameterizedTest
    @ValueSource(strings = {"fibry-core", "extensions/fibry-durable"})
    void allUsesOfReflectionAreKnown(String module) throws IOException {
        var users = new TreeSet<String>();
        for (Path file : files(module(module).resolve("src/main/java"))) {
            if (REFLECTION.matcher(Files.readString(file)).find()) {
                users.add(file.getFileName().toString());
            }
        }
        users.removeAll(OPTIONAL);
        List<String> known = module.equals("fibry-core")
                ? List.of("Jmx.java", "ObserverRoutes.java")
                : List.of("GuardedConnection.java", "JdbcStore.java", "Schema.java");
        assertEquals(new TreeSet<>(known), users);
    }

    @Test
    @Timeout(900)
    void anExampleRunsAsANativeImage(@TempDir Path folder) throws Exception {
        String path = System.getenv("PATH");
        assumeTrue(
                Stream.of(path.split(File.pathSeparator, -1))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, "native-image"))),
                "needs native-image of GraalVM");
        Path program = folder.resolve("request-reply");
        run(
                "native-image",
                "--no-fallback",
                "-cp",
                System.getProperty("java.class.path"),
                "io.fibry.examples.RequestReply",
                "-o",
                program.toString());
        assertTrue(run(program.toString(), "3").contains("squares is 14."));
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, process.waitFor(), output);
        return output;
    }
}
