package io.fibry.bench.net;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Programs in separate processes: their availability and their output. */
public final class Programs {

    private static final Path GO_SERVER = Path.of("target", "go-server");

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
     * Returns the command of the Go server, and compiles it if its source is newer. The working directory is the
     * directory of the module.
     */
    static List<String> goServer(String load) throws IOException {
        Path source = Path.of("src", "main", "go", "server.go");
        if (!Files.exists(GO_SERVER)
                || Files.getLastModifiedTime(GO_SERVER).compareTo(Files.getLastModifiedTime(source)) < 0) {
            try {
                run(List.of("go", "build", "-o", GO_SERVER.toString(), source.toString()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while go compiled", e);
            }
        }
        return List.of(GO_SERVER.toString(), load);
    }
}
