package io.fibry.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A Prometheus server that scrapes one program every 100 milliseconds. */
final class Prometheus implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Process process;
    private final int port;
    private final Path log;
    private final HttpClient client = HttpClient.newHttpClient();

    private Prometheus(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /** The path of a program of Prometheus; without it the test is skipped, and the message says how to install it. */
    static String find(String program) {
        Path found = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(directory -> Path.of(directory, program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        assumeTrue(found != null, program + " is missing; on Debian: apt-get install prometheus");
        return String.valueOf(found);
    }

    /** Copies the alerts from the jar to a directory, and returns the file. */
    static Path copyAlerts(Path directory) throws IOException {
        Path file = directory.resolve("fibry-alerts.yml");
        try (InputStream in = FibryMetrics.class.getResourceAsStream("/META-INF/fibry/fibry-alerts.yml")) {
            Files.copy(in, file);
        }
        return file;
    }

    /** Starts a server with the alerts of the jar. */
    static Prometheus scrape(int programPort, Path directory) throws Exception {
        String program = find("prometheus");
        Path rules = copyAlerts(directory);
        Path configuration = Files.writeString(directory.resolve("prometheus.yml"), """
            global:
              scrape_interval: 100ms
              evaluation_interval: 100ms
            rule_files:
              - %s
            scrape_configs:
              - job_name: shop
                static_configs:
                  - targets: ["localhost:%d"]
            """.formatted(rules, programPort));
        int port;
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Path log = directory.resolve("log");
        Process process = new ProcessBuilder(
                        program,
                        "--config.file=" + configuration,
                        "--storage.tsdb.path=" + directory.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        var server = new Prometheus(process, port, log);
        server.await("it is ready", () -> server.status("/-/ready") == 200);
        return server;
    }

    /** Something that becomes true. */
    interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    /** Waits for a condition. The limit only detects that it never holds. */
    void await(String what, Condition condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.holds()) {
            assertTrue(process.isAlive(), () -> "Prometheus has ended: " + log());
            assertTrue(System.nanoTime() - start < LIMIT.toNanos(), () -> "never: " + what + "; " + log());
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Evaluates a query, and returns its result. */
    JsonNode query(String query) throws IOException, InterruptedException {
        JsonNode answer = get("/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8));
        assertEquals("success", answer.get("status").asText(), query + ": " + answer);
        return answer.at("/data/result");
    }

    /** Returns the alerts, with the result of their last evaluation. */
    JsonNode alerts() throws IOException, InterruptedException {
        return get("/api/v1/rules").at("/data/groups/0/rules");
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        return new ObjectMapper().readTree(send(path).body());
    }

    private int status(String path) throws InterruptedException {
        try {
            return send(path).statusCode();
        } catch (IOException e) { // it does not listen yet
            return -1;
        }
    }

    private HttpResponse<String> send(String path) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() {
        client.close();
        process.destroyForcibly().onExit().join();
    }
}
