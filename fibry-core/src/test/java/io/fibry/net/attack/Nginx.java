package io.fibry.net.attack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * An nginx in front of a server, which keeps its connections to the server open, a precondition of request smuggling.
 */
final class Nginx implements AutoCloseable {

    private static final String GLOBALS = "daemon off; master_process off; pid nginx.pid; error_log error.log;";

    private static final String FILES = """
        client_body_temp_path body;
        proxy_temp_path proxy;
        fastcgi_temp_path fastcgi;
        uwsgi_temp_path uwsgi;
        scgi_temp_path scgi;
        """;

    private final Path directory;
    private final Process process;
    private final int port;

    private Nginx(Path directory, Process process, int port) {
        this.directory = directory;
        this.process = process;
        this.port = port;
    }

    static Nginx start(int server) throws IOException, InterruptedException {
        return start(server, "");
    }

    /** With more rules, such as a location that is denied. */
    static Nginx start(int server, String rules) throws IOException, InterruptedException {
        String configuration = """
            events {}
            http {
                log_format counted '$upstream_status $request_uri';
                access_log access.log counted;
                client_header_timeout 1s;
                client_body_timeout 1s;
                keepalive_timeout 1s;
                upstream server { server 127.0.0.1:%d; keepalive 1; }
                server {
                    listen 80;
                    %s
                    location / {
                        proxy_pass http://server;
                        proxy_http_version 1.1;
                        proxy_set_header Connection "";
                        proxy_set_header Host localhost;
                        proxy_request_buffering off;
                    }
                }
            }
            """.formatted(server, rules);
        return start(configuration);
    }

    /** With a whole configuration. Its port 80 becomes a free port, and its files are in a directory of the test. */
    static Nginx start(String configuration) throws IOException, InterruptedException {
        String program = Tools.find("nginx", "nginx-light");
        int port;
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Path directory = Files.createTempDirectory("nginx");
        Path file = directory.resolve("nginx.conf");
        String files = configuration.contains("access_log") ? FILES : FILES + "access_log off;\n";
        Files.writeString(
                file,
                configuration
                        .replaceFirst("(?m)^http \\{$", "http {\n" + files)
                        .replace("listen 80;", "listen 127.0.0.1:" + port + ";"));
        Process process = new ProcessBuilder(
                        program, "-p", directory.toString(), "-e", "error.log", "-c", file.toString(), "-g", GLOBALS)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        var nginx = new Nginx(directory, process, port);
        nginx.awaitListening();
        return nginx;
    }

    private void awaitListening() throws IOException, InterruptedException {
        while (process.isAlive()) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return;
            } catch (IOException notYet) {
                process.waitFor(20, TimeUnit.MILLISECONDS);
            }
        }
        throw new IOException("nginx has ended: " + Files.readString(directory.resolve("output")));
    }

    int port() {
        return port;
    }

    /**
     * For each request that it has understood: the server's status, or a dash if it has not passed it on, and the path.
     */
    List<String> requests() throws IOException {
        return Files.readAllLines(directory.resolve("access.log"));
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        process.onExit().join();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
