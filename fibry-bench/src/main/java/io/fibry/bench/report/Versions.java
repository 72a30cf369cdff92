package io.fibry.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The versions of the peers and of the measuring programs. */
final class Versions {

    private static final List<List<String>> PROGRAMS =
            List.of(List.of("ab", "-V"), List.of("wrk", "-v"), List.of("go", "version"));
    private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d[\\w.+-]*");

    private Versions() {}

    /** The libraries, from the build. */
    static String peers() throws IOException {
        return property("peers");
    }

    /** The libraries for durable entities, and their databases except for PostgreSQL, from the build. */
    static String stores() throws IOException {
        return property("stores");
    }

    private static String property(String name) throws IOException {
        var versions = new Properties();
        try (InputStream in = Objects.requireNonNull(Versions.class.getResourceAsStream("versions.properties"))) {
            versions.load(in);
        }
        return versions.getProperty(name, "unknown");
    }

    /** The programs on the PATH. */
    static String programs() throws InterruptedException {
        var versions = new ArrayList<String>();
        for (List<String> command : PROGRAMS) {
            versions.add(command.get(0) + " " + version(command));
        }
        return String.join(", ", versions);
    }

    /**
     * Returns the first version in the output of the program, regardless of its exit status: wrk fails after printing
     * it.
     */
    static String version(List<String> command) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            process.waitFor();
            Matcher version = VERSION.matcher(output);
            return version.find() ? version.group() : "of an unknown version";
        } catch (IOException e) {
            return "is missing";
        }
    }
}
