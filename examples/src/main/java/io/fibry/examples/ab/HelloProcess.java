package io.fibry.examples.ab;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fibry.examples.TcpHello;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** TcpHello in its own JVM, which isolates it from the load generator. */
public final class HelloProcess implements AutoCloseable {

    private static final Pattern PORT = Pattern.compile("localhost:(\\d+)");

    private final Process process;
    private final Thread atExit;
    private final int port;

    public HelloProcess(String strategy) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = System.getProperty("java.class.path");
        process = new ProcessBuilder(java, "-cp", classes, TcpHello.class.getName(), "0", strategy)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        atExit = new Thread(process::destroy); // also after Ctrl-C
        Runtime.getRuntime().addShutdownHook(atExit);
        port = readPort();
    }

    private int readPort() throws IOException {
        String line = process.inputReader(UTF_8).readLine();
        var found = PORT.matcher(line == null ? "" : line);
        if (!found.find()) {
            close();
            throw new IOException("the server did not print its port, but: " + line);
        }
        return Integer.parseInt(found.group(1));
    }

    public int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroy();
        Runtime.getRuntime().removeShutdownHook(atExit);
    }
}
