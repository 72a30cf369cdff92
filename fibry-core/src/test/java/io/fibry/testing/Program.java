package io.fibry.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program in a separate JVM that ends by itself, for tests of the moment of its end. */
public final class Program implements AutoCloseable {

    private final Process process;
    private final Path output;
    private final Path log;

    private Program(List<String> options, Class<?> main, String... arguments) throws IOException {
        output = Files.createTempFile("program", ".out");
        log = Files.createTempFile("program", ".log");
        process = new ProcessBuilder(ServerProcess.java(main, options, arguments))
                .redirectOutput(output.toFile())
                .redirectError(log.toFile())
                .start();
    }

    /** Starts it with a heap of 64 MB. */
    public static Program start(Class<?> main, String... arguments) throws IOException {
        return new Program(List.of(), main, arguments);
    }

    /** As {@link #start}, with more options for the JVM. */
    public static Program startWith(List<String> options, Class<?> main, String... arguments) throws IOException {
        return new Program(options, main, arguments);
    }

    /** Waits for its end and returns its exit status. */
    public int awaitEnd() throws InterruptedException, IOException {
        if (!process.waitFor(300, TimeUnit.SECONDS)) {
            throw new IOException("the program does not end; it has written " + lines() + " and " + log());
        }
        return process.exitValue();
    }

    /** Its output. */
    public List<String> lines() throws IOException {
        return Files.readAllLines(output, UTF_8);
    }

    /** The content of its standard error stream, which has the log. */
    public String log() throws IOException {
        return Files.readString(log, UTF_8);
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        Files.delete(output);
        Files.delete(log);
    }
}
