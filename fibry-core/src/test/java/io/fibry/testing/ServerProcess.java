package io.fibry.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A server in a separate JVM, with little memory and, if requested, few file descriptors, for tests that attack it. Its
 * main class ends with {@link ServerConsole#run}, which communicates with this object. For one thread at a time.
 */
public final class ServerProcess implements AutoCloseable {

    private static final String LITTLE_MEMORY = "-Xmx64m";

    private final Process process;
    private final Path log;
    private final BufferedReader output;
    private final Writer input;
    private final int port;

    private ServerProcess(ProcessBuilder builder, Path log) throws IOException {
        this.log = log;
        process = builder.redirectError(log.toFile()).start();
        output = process.inputReader(UTF_8);
        input = process.outputWriter(UTF_8);
        port = Integer.parseInt(line());
    }

    /** Starts it with a heap of 64 MB, and returns when it has printed its port. */
    public static ServerProcess start(Class<?> main, String... arguments) throws IOException {
        return new ServerProcess(new ProcessBuilder(java(main, List.of(), arguments)), newLog());
    }

    /** As {@link #start}, with more options for the JVM. */
    public static ServerProcess startWith(List<String> options, Class<?> main, String... arguments) throws IOException {
        return new ServerProcess(new ProcessBuilder(java(main, options, arguments)), newLog());
    }

    /**
     * As {@link #startWith}, with at most this number of file descriptors, of which the JVM itself needs some dozens.
     */
    public static ServerProcess startWithDescriptors(
            int limit, List<String> options, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("bash", "-c", "ulimit -n " + limit + " && exec \"$@\"", "bash"));
        command.addAll(java(main, options, arguments));
        return new ServerProcess(new ProcessBuilder(command), newLog());
    }

    static List<String> java(Class<?> main, List<String> options, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add(LITTLE_MEMORY);
        command.add("-Xlog:disable"); // warnings of the JVM go to the log, not between the answers
        command.add("-Xlog:all=warning:stderr");
        command.add("-XX:+UseSerialGC");
        command.add("--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED"); // for NoLeftovers
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("-Djdk.virtualThreadScheduler.")
                        || option.startsWith("-XX:TieredStopAtLevel="))
                .forEach(command::add); // the number of carrier threads and the compiler of the tests
        command.addAll(options);
        command.addAll(List.of("-cp", classPath(), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** The class path of the tests; if they run on the module path, with its entries. */
    private static String classPath() {
        String modules = System.getProperty("jdk.module.path");
        String classes = System.getProperty("java.class.path");
        return modules == null ? classes : classes + File.pathSeparator + modules;
    }

    private static Path newLog() throws IOException {
        return Files.createTempFile("server", ".log");
    }

    /** The port that it has printed. */
    public int port() {
        return port;
    }

    /** The server's answer to a question that {@link ServerConsole#run} knows: one line. */
    public String ask(String question) throws IOException {
        input.write(question + "\n");
        input.flush();
        return line();
    }

    /** As {@link #ask}, for an answer that is a number. */
    public long number(String question) throws IOException {
        return Long.parseLong(ask(question));
    }

    private String line() throws IOException {
        String line = output.readLine();
        if (line == null) {
            throw new IOException("the server has ended; its log: " + log());
        }
        return line;
    }

    /** The content of its standard error stream, which has the log. */
    public String log() throws IOException {
        return Files.readString(log);
    }

    /** The number of log lines that contain this text. */
    public long logLines(String text) throws IOException {
        return log().lines().filter(line -> line.contains(text)).count();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public long pid() {
        return process.pid();
    }

    /** The number of its open sockets; 0 where the operating system does not report it. */
    public long sockets() throws IOException {
        Path descriptors = Path.of("/proc", Long.toString(process.pid()), "fd");
        if (!Files.isDirectory(descriptors)) {
            return 0;
        }
        try (Stream<Path> files = Files.list(descriptors)) {
            return files.filter(ServerProcess::isSocket).count();
        }
    }

    private static boolean isSocket(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }

    /** Waits for its end and returns its exit status. */
    public int awaitEnd() throws InterruptedException, IOException {
        input.close();
        return awaitExit();
    }

    /** Waits until it ends by itself, and returns its exit status. */
    public int awaitExit() throws InterruptedException, IOException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new IOException("the server does not end; its log: " + log());
        }
        return process.exitValue();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        System.err.print(log());
        Files.delete(log);
    }
}
