package io.fibry.bench.net;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Programs in separate processes: their availability and their output. */
public final class Programs {

    private Programs() {}

    /** The folders to search for programs. */
    static String path() {
        return System.getenv().getOrDefault("PATH", "");
    }

    /** Returns whether a program of this name is in one of these folders. */
    static boolean has(String program, String path) {
        return Stream.of(path.split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** Returns a sentence with the installation of Go, or null if it is installed. */
    public static @Nullable String missingGo() {
        return missingGo(path());
    }

    static @Nullable String missingGo(String path) {
        return has("go", path) ? null : "go is not on the PATH; install it from https://go.dev/dl";
    }

    /** Returns the output of the program. If the program fails, the exception contains its output. */
    public static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(Path.of(command.get(0)).getFileName() + " failed: " + lastLine(output));
        }
        return output;
    }

    /** Returns the command that runs a program of this module in a separate JVM. */
    public static List<String> java(Class<?> program, List<String> options, String... args) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(List.of(args));
        return command;
    }

    /** Returns the last line that is not part of a stack trace. */
    private static String lastLine(String output) {
        return output.strip()
                .lines()
                .filter(line -> !line.startsWith("\t"))
                .reduce((a, b) -> b)
                .orElse("no output");
    }

    /**
     * Returns the command of a program in Go, and compiles it if its source is newer. The working directory is the
     * directory of the module.
     *
     * @param program the name of the source file, without its ending
     */
    public static List<String> go(String program, List<String> args) throws IOException {
        Path source = Path.of("src", "main", "go", program + ".go");
        Path binary = Path.of("target", "go-" + program);
        if (!Files.exists(binary)
                || Files.getLastModifiedTime(binary).compareTo(Files.getLastModifiedTime(source)) < 0) {
            try {
                run(List.of("go", "build", "-o", binary.toString(), source.toString()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while go compiled", e);
            }
        }
        var command = new ArrayList<>(List.of(binary.toString()));
        command.addAll(args);
        return command;
    }
}
