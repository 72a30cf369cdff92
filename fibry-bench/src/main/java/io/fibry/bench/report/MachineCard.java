package io.fibry.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The machine, the software and the time of a measurement. */
final class MachineCard {

    /** The lines that must not change within a run. */
    static final List<String> MUST_STAY = List.of("CPU", "cores", "JDK", "pace", "commit");

    private MachineCard() {}

    static Map<String, String> of(Pace pace) throws IOException, InterruptedException {
        var card = new LinkedHashMap<String, String>();
        card.put("CPU", cpu());
        card.put("cores", String.valueOf(Runtime.getRuntime().availableProcessors()));
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        card.put("memory", Math.round(system.getTotalMemorySize() / 1e9) + " GB");
        card.put("kernel", property("os.name") + " " + property("os.version") + ", " + property("os.arch"));
        card.put("JDK", property("java.vendor.version") + ", " + property("java.vm.name"));
        card.put("JVM options of every fork", String.join(" ", Pace.JVM_OPTIONS));
        card.put("peers", Versions.peers());
        card.put("programs", Versions.programs());
        card.put("pace", pace.toString());
        card.put("commit", commit());
        card.put("date", LocalDate.now(ZoneOffset.UTC).toString());
        return card;
    }

    private static String cpu() throws IOException {
        Path info = Path.of("/proc/cpuinfo");
        List<String> lines = Files.exists(info) ? Files.readAllLines(info) : List.of();
        return lines.stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(property("os.arch"));
    }

    private static String property(String name) {
        return System.getProperty(name, "unknown");
    }

    private static String commit() throws InterruptedException {
        String changed = git("status", "--porcelain", "--untracked-files=no", "--", ":/*.java", ":/*.kt", ":/*pom.xml");
        return git("rev-parse", "--short=12", "HEAD") + (changed.isEmpty() ? "" : " with local changes");
    }

    private static String git(String... args) throws InterruptedException {
        try {
            var command = new java.util.ArrayList<>(List.of(args));
            command.add(0, "git");
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
            return process.waitFor() == 0 ? output : "unknown";
        } catch (IOException e) {
            return "unknown"; // without git, the figures are still valid
        }
    }

    /** Returns a Markdown table. */
    static String markdown(Map<String, String> card) {
        var table = new StringBuilder("| | |\n|---|---|\n");
        card.forEach((name, value) -> table.append("| %s | %s |\n".formatted(name, value.replace("|", "\\|"))));
        return table.toString();
    }
}
