package io.fibry.net.attack;

import com.sun.net.httpserver.HttpExchange;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.http.HttpOptions;
import io.fibry.http.HttpRoutes;
import io.fibry.http.HttpServerActor;
import io.fibry.http.ReplyHandler;
import io.fibry.testing.Certificate;
import io.fibry.testing.ServerConsole;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An HTTP server to attack, with short timeouts and, if requested, fewer connections. Arguments: the strategy, the
 * number of connections, or 0 for the default, and, for HTTPS, the file of a certificate. The property {@code timeout}
 * is the time in seconds that clients have for any operation, {@code write} the time to take a response, if it differs,
 * and {@code share} the number of concurrent requests of one address. A second server is for health checks, on platform
 * threads and its own port.
 */
final class AttackedHttpServer {

    /** The length of a download. */
    static final int DOWNLOAD = 8 << 20;

    private static final byte[] PIECE = new byte[1 << 13];
    private static final CountDownLatch GO = new CountDownLatch(1);
    private static final List<String> HANDLED = new CopyOnWriteArrayList<>();
    private static final List<InputStream> FILES = new ArrayList<>(); // used by the console only
    private static final AtomicInteger SPINNING = new AtomicInteger();
    private static volatile boolean spin = true;

    private AttackedHttpServer() {}

    public static void main(String[] arguments) throws Exception {
        System.setProperty("sun.net.httpserver.clockTick", "500"); // interval of idle checks, not 10 s
        var timeout = Duration.ofSeconds(Integer.getInteger("timeout", 2));
        var options = HttpOptions.defaults()
                .requestTimeout(timeout)
                .writeTimeout(Duration.ofSeconds(Long.getLong("write", timeout.toSeconds())))
                .idleTimeout(timeout)
                .maxPerAddress(Integer.getInteger("share", Integer.MAX_VALUE));
        if (arguments.length > 2) {
            options = options.tls(Certificate.context(Path.of(arguments[2])));
        }
        int connections = Integer.parseInt(arguments[1]);
        if (connections > 0) {
            options = options.maxConnections(connections);
        }
        var server = start(strategy(arguments[0]), routes(), options);
        var health = start(ThreadStrategy.platform(), HttpRoutes.none().health("/health", () -> true), options);
        ServerConsole.run(server.port(), answers(server, health));
    }

    private static HttpServerActor start(ThreadStrategy strategy, HttpRoutes routes, HttpOptions options) {
        return HttpServerActor.start(ActorSystem.defaultSystem().actor().strategy(strategy), 0, routes, options);
    }

    private static Map<String, Callable<?>> answers(HttpServerActor server, HttpServerActor health) {
        var answers = new HashMap<String, Callable<?>>();
        answers.put("handled", AttackedHttpServer::handled);
        answers.put("in work", () -> server.stats().inWork());
        answers.put("refused", () -> server.stats().refused());
        answers.put("spinning", SPINNING::get);
        answers.put("health port", health::port);
        answers.put("stop spinning", () -> {
            spin = false;
            return "yes";
        });
        answers.put("go", () -> {
            GO.countDown();
            return "gone";
        });
        answers.put("open files", AttackedHttpServer::openFiles);
        answers.put("close files", () -> {
            for (InputStream file : FILES) {
                file.close();
            }
            return FILES.size();
        });
        answers.put("stop", () -> {
            server.stop();
            return server.exit().isDone();
        });
        answers.put("close", () -> {
            server.close(Duration.ofSeconds(2));
            health.close();
            server.exit().get(60, TimeUnit.SECONDS); // a busy machine may need longer than the close waits
            return true;
        });
        return answers;
    }

    static ThreadStrategy strategy(String name) {
        return name.equals("virtual") ? ThreadStrategy.virtual() : ThreadStrategy.platform();
    }

    /** Opens files until no descriptor is left, and returns their number. */
    private static int openFiles() {
        boolean more = true;
        while (more) {
            try {
                FILES.add(new FileInputStream("/dev/null"));
            } catch (FileNotFoundException noDescriptor) {
                more = false;
            }
        }
        return FILES.size();
    }

    /** The paths that the handler for the rest has got since the last query. */
    private static String handled() {
        String paths = String.join(" ", HANDLED);
        HANDLED.clear();
        return paths;
    }

    private static HttpRoutes routes() {
        String large = "x".repeat(1 << 20);
        return HttpRoutes.all(exchange -> {
                    HANDLED.add(exchange.getRequestURI().getRawPath());
                    byte[] body = exchange.getRequestBody().readAllBytes();
                    return new String(body, StandardCharsets.UTF_8);
                })
                .get("/large", exchange -> large)
                .get("/fail", exchange -> {
                    throw new IllegalStateException("on purpose");
                })
                .get("/error", exchange -> {
                    throw new AssertionError("on purpose");
                })
                .get("/spin", exchange -> {
                    SPINNING.incrementAndGet();
                    while (spin) {
                        Thread.onSpinWait();
                    }
                    return "dizzy";
                })
                .handle(
                        "GET",
                        "/stream",
                        ReplyHandler.of(exchange -> download(exchange, DOWNLOAD, new CountDownLatch(0))))
                .handle("GET", "/chunks", ReplyHandler.of(exchange -> download(exchange, 0, new CountDownLatch(0))))
                .handle("GET", "/download", ReplyHandler.of(exchange -> download(exchange, DOWNLOAD, GO)))
                .handle(
                        "GET",
                        "/endless",
                        ReplyHandler.of(exchange -> download(exchange, DOWNLOAD, new CountDownLatch(1))))
                .handle("GET", "/abort", ReplyHandler.of(exchange -> {
                    exchange.sendResponseHeaders(200, DOWNLOAD);
                    exchange.getResponseBody().write('x');
                    exchange.close();
                }))
                .get("/hello", exchange -> "hello")
                .health("/health", () -> true);
    }

    /** The first byte at once, the rest when permitted. The length is that of the header; 0 means chunks. */
    private static void download(HttpExchange exchange, int length, CountDownLatch rest) throws IOException {
        exchange.sendResponseHeaders(200, length);
        try (OutputStream body = exchange.getResponseBody()) {
            body.write('x');
            body.flush();
            rest.await();
            for (int left = DOWNLOAD - 1; left > 0; left -= PIECE.length) {
                body.write(PIECE, 0, Math.min(PIECE.length, left));
            }
        } catch (InterruptedException e) {
            throw new IOException("cut", e);
        }
    }
}
