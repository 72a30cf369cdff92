package io.fibry.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jfr.EventType;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Executes commands for the tools of the JDK like a shell, in a separate folder with {@code shop.jar} and
 * {@code fibry-core.jar}, and with a running shop, whose process id replaces the one in the guide.
 */
final class JdkCommands implements AutoCloseable {

    /** Matches a process in a guide: a number, a placeholder, or its main class. */
    private static final Pattern PROCESS =
            Pattern.compile("\\b(jcmd|dump|dump --json) (\\d+|<pid>|PID|io\\.fibry\\.examples\\.Shop)(?= |$)");

    private static final Pattern EVENT = Pattern.compile("\\bfibry\\.[A-Z]\\w+");
    private static final Pattern RECORDING = Pattern.compile("\\b\\w+\\.jfr\\b");
    private static final Pattern WARNING = Pattern.compile("\\[warning]|\\[error]|Warning!");
    private static final Pattern SETTING = Pattern.compile("([\\w.]+)#(\\w+)=([^\\s,'\"]+)");
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Path folder;
    private final Path java = Path.of(System.getProperty("java.home"), "bin");
    private final Process shop;

    /** The settings of commands whose recording has not been read. */
    private final List<MatchResult> settings = new ArrayList<>();

    JdkCommands(Path folder) throws IOException {
        this.folder = folder;
        makeJar(folder.resolve("shop.jar"));
        LibraryJar.make(folder.resolve("fibry-core.jar"));
        shop = new ProcessBuilder(
                        java.resolve("java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Dio.fibry.jmx=true",
                        Shop.class.getName(),
                        "0")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String line = shop.inputReader(UTF_8).readLine();
        assertTrue(line.startsWith("Open http"), line);
    }

    private static void makeJar(Path jar) throws IOException {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toUri().toString())
                .collect(Collectors.joining(" "));
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, ShopForAWhile.class.getName());
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    }

    /**
     * Executes a command. It must exit with status 0, print no warning, and have its stated effect. A dump of a running
     * recording is repeated until it has the effect.
     */
    void execute(Command command) throws IOException, InterruptedException {
        String line =
                PROCESS.matcher(command.text()).replaceAll("$1 " + shop.pid()).replace(" FILE", " dump.json");
        run(command, line);
        SETTING.matcher(line).results().forEach(settings::add);
        Matcher recording = RECORDING.matcher(line);
        if (!recording.find()) {
            return;
        }
        Path file = folder.resolve(recording.group());
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        long end = System.nanoTime() + LIMIT.toNanos();
        while (line.contains("JFR.dump") && !missingIn(events).isEmpty() && System.nanoTime() < end) {
            run(command, line);
            events = RecordingFile.readAllEvents(file);
        }
        check(command, file, events);
    }

    private void run(Command command, String line) throws IOException, InterruptedException {
        var builder = new ProcessBuilder("bash", "-e", "-o", "pipefail", "-c", line)
                .directory(folder.toFile())
                .redirectErrorStream(true);
        builder.environment().merge("PATH", java.toString(), (path, first) -> first + File.pathSeparator + path);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, process.waitFor(), () -> command + "\n" + output);
        assertFalse(WARNING.matcher(output).find(), () -> command + "\n" + output);
    }

    /** The events that the settings keep enabled, and that are not in the recording. */
    private List<String> missingIn(List<RecordedEvent> events) {
        return settings.stream()
                .filter(setting -> !isOff(setting))
                .map(setting -> setting.group(1))
                .filter(name -> countOf(name, events) == 0)
                .toList();
    }

    private static boolean isOff(MatchResult setting) {
        return setting.group(2).equals("enabled") && setting.group(3).equals("false");
    }

    private static long countOf(String name, List<RecordedEvent> events) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .count();
    }

    /**
     * Checks that the recording knows the events in the command, has the settings of the commands that have created it,
     * has no events that they disable, and has the other events that they name.
     */
    private void check(Command command, Path file, List<RecordedEvent> events) throws IOException {
        try (var recording = new RecordingFile(file)) {
            Map<String, Long> types = new TreeMap<>();
            for (EventType type : recording.readEventTypes()) {
                types.put(type.getName(), type.getId());
            }
            EVENT.matcher(command.text())
                    .results()
                    .map(event -> event.group())
                    .forEach(event -> assertTrue(
                            types.containsKey(event), () -> command + ": no event " + event + " in " + types.keySet()));
            List<RecordedEvent> active = events.stream()
                    .filter(event -> event.getEventType().getName().equals("jdk.ActiveSetting"))
                    .toList();
            for (MatchResult setting : settings) {
                String value = active.stream()
                        .filter(event -> Objects.equals(types.get(setting.group(1)), event.getLong("id")))
                        .filter(event -> event.getString("name").equals(setting.group(2)))
                        .max(Comparator.comparing(RecordedEvent::getStartTime))
                        .map(event -> event.getString("value").replace(" ", ""))
                        .orElse("none");
                assertEquals(setting.group(3), value, () -> command + ": " + setting.group());
                assertTrue(
                        !isOff(setting) || countOf(setting.group(1), events) == 0,
                        () -> command + ": events in spite of " + setting.group());
            }
            assertEquals(List.of(), missingIn(events), () -> command + ": events that are not in the recording");
            settings.clear();
        }
    }

    @Override
    public void close() {
        shop.destroyForcibly();
    }
}
