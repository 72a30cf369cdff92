package io.fibry.cluster.pekko.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The parent's handle to a {@link Node}. Thread-safe. */
public final class NodeProcess implements AutoCloseable {

    /** The limit of each answer, longer than any time limit of a command. */
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private static final List<String> JVM = List.of(
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "-Xlog:disable",
            "-Xlog:all=warning:stderr",
            "-Dorg.slf4j.simpleLogger.showDateTime=true",
            "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS",
            "-Dorg.slf4j.simpleLogger.showShortLogName=true");

    private static final String END = "";

    private final String name;
    private final Path log;
    private final Process process;
    private final Writer input;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final ReentrantLock lock = new ReentrantLock();

    @Nullable
    private volatile Process freezer;

    private NodeProcess(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
        input = process.outputWriter(UTF_8);
        // A read from a pipe would pin the carrier of a virtual thread.
        Thread.ofPlatform().daemon().name("answers of " + name).start(() -> read(process.inputReader(UTF_8)));
    }

    /** Starts a node without waiting. Its first answer indicates that it has joined. */
    static NodeProcess start(Map<String, String> options, Map<String, String> environment, Path log)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Node.class.getName()));
        command.addAll(NodeOptions.arguments(options));
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        return new NodeProcess(options.get("name"), log, builder.start());
    }

    private void read(BufferedReader lines) {
        try (lines) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answers.add(line);
            }
        } catch (IOException e) {
            answers.add("error " + e);
        } finally {
            answers.add(END);
        }
    }

    public String name() {
        return name;
    }

    /** Returns the answer to a command of {@link Commands}, without the {@code ok}. */
    public String ask(String command) {
        lock.lock();
        try {
            input.write(command + "\n");
            input.flush();
            return answer(command);
        } catch (IOException e) {
            throw new IllegalStateException(name + " has ended; its log is " + log, e);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the node has joined. */
    public void awaitJoined() {
        answer("join");
    }

    /** Waits until the node has joined or has failed to join, and returns whether it has joined. */
    boolean hasJoined() {
        return line("join").startsWith("ok ");
    }

    /** Waits until the node has failed to join, and returns the reason. */
    public String awaitNotJoined() {
        String line = line("join");
        if (!line.startsWith("error ")) {
            throw new IllegalStateException(name + " has joined");
        }
        return line;
    }

    private String answer(String command) {
        String line = line(command);
        if (!line.startsWith("ok ")) {
            throw new IllegalStateException(
                    name + " answers to " + command + ": " + (line.equals(END) ? "it has ended" : line));
        }
        return line.substring(3);
    }

    private String line(String command) {
        try {
            String line = answers.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
            if (line == null) {
                throw new IllegalStateException(name + " does not answer to " + command + "; its log is " + log);
            }
            return line;
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while " + name + " does " + command, e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Kills the node, like {@code kill -9}, and waits for its end. */
    void kill() throws IOException, InterruptedException {
        process.destroyForcibly();
        process.waitFor();
        if (freezer != null) {
            wake();
        }
    }

    /** Terminates the node, like {@code kill -TERM}, and waits for its end. */
    void terminate() throws InterruptedException {
        process.toHandle().destroy(); // destroy() of a Process also closes its input, which halts a node
        if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException(name + " does not end; its log is " + log);
        }
    }

    /**
     * Freezes the node, like {@code kill -STOP}, and waits until all its threads have stopped. The shell that does this
     * resumes the node when this JVM ends, so that the node ends too.
     */
    void freeze() throws IOException {
        var shell = new ProcessBuilder(
                        "sh", "-c", "kill -STOP $0; echo frozen; read end; kill -CONT $0 2>&1", "" + process.pid())
                .redirectErrorStream(true)
                .start();
        freezer = shell;
        String line = shell.inputReader(UTF_8).readLine();
        if (!"frozen".equals(line)) {
            throw new IOException(name + " cannot be frozen: " + line);
        }
        Path threads = Path.of("/proc", "" + process.pid(), "task");
        while (Files.exists(threads) && !areStopped(threads)) { // the signal is handled later, by the node
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static boolean areStopped(Path threads) throws IOException {
        try (var each = Files.newDirectoryStream(threads)) {
            for (Path thread : each) {
                if (!Files.readString(thread.resolve("status")).contains("\nState:\tT ")) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Resumes the node, like {@code kill -CONT}. */
    void wake() throws IOException, InterruptedException {
        Process shell = freezer;
        freezer = null;
        shell.getOutputStream().close();
        shell.waitFor();
    }

    /** Closes the input of the node, as the end of the parent does, and waits for its end. Returns its exit status. */
    int hangUp() throws IOException, InterruptedException {
        input.close();
        if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new IOException(name + " outlives its parent; its log is " + log);
        }
        return process.exitValue();
    }

    /** Returns the log, which the node writes to its error stream. */
    public String log() throws IOException {
        return Files.readString(log, UTF_8);
    }

    /** Ends the node, even if it is frozen. */
    @Override
    public void close() {
        try {
            kill();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
