package io.fibry.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An example in a separate process. */
final class Program implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;

    Program(String example, String... arguments) throws IOException {
        this(Map.of(), example, arguments);
    }

    /** Starts a program with additional environment variables. The output includes the error stream. */
    Program(Map<String, String> environment, String example, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "io.fibry.examples." + example));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        process = builder.start();
        output = process.inputReader(UTF_8);
    }

    String line() throws IOException {
        return output.readLine();
    }

    /** Returns the remaining output of the program. */
    String rest() {
        return String.join("\n", output.lines().toList());
    }

    /** Sends SIGTERM. */
    void terminate() {
        process.toHandle().destroy();
    }

    /** Sends SIGKILL, and waits for the end. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    int exitStatus() throws InterruptedException {
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
