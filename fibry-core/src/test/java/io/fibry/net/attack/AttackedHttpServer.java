package io.fibry.net.attack;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.net.HttpOptions;
import io.fibry.net.HttpRoutes;
import io.fibry.net.HttpServerActor;
import io.fibry.testing.Certificate;
import io.fibry.testing.ServerConsole;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An HTTP server to attack, with short timeouts and, if told to, fewer connections. Arguments: the strategy, the number of
 * connections and, for HTTPS, the file of a certificate. Beside it there is one for health checks, on platform threads and a
 * port of its own.
 */
final class AttackedHttpServer {

    private static final List<String> HANDLED = new CopyOnWriteArrayList<>();
    private static final AtomicInteger SPINNING = new AtomicInteger();
    private static volatile boolean spin = true;

    private AttackedHttpServer() {}

    public static void main(String[] arguments) throws Exception {
        ThreadStrategy strategy = strategy(arguments[0]);
        var options = HttpOptions.builder()
                .maxConnections(Integer.parseInt(arguments[1]))
                .requestTimeout(Duration.ofSeconds(2))
                .writeTimeout(Duration.ofSeconds(2))
                .idleTimeout(Duration.ofSeconds(2))
                .tls(arguments.length > 2 ? Certificate.context(Path.of(arguments[2])) : null)
                .build();
        var server = HttpServerActor.start(ActorSystem.defaultSystem(), strategy, 0, routes(), options);
        var health = HttpServerActor.start(
                ActorSystem.defaultSystem(),
                ThreadStrategy.platform(),
                0,
                HttpRoutes.none().health("/health", () -> true),
                options);
        ServerConsole.run(
                server.port(),
                Map.of(
                        "handled",
                        AttackedHttpServer::handled,
                        "spinning",
                        SPINNING::get,
                        "health port",
                        health::port,
                        "stop spinning",
                        () -> {
                            spin = false;
                            return "yes";
                        },
                        "handlers",
                        AttackedHttpServer::threads,
                        "close",
                        () -> {
                            server.close(Duration.ofSeconds(60));
                            health.close();
                            return server.exit().join().reason();
                        }));
    }

    static ThreadStrategy strategy(String name) {
        return name.equals("virtual") ? ThreadStrategy.virtual() : ThreadStrategy.platform();
    }

    /** The paths that the handler for the rest has got since the last time that this was asked. */
    private static String handled() {
        String paths = String.join(" ", HANDLED);
        HANDLED.clear();
        return paths;
    }

    /** Those of the library and of the JDK's server. */
    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("fibry-http") || name.startsWith("actor-") || name.startsWith("HTTP-"))
                .count();
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
                .get("/hello", exchange -> "hello")
                .health("/health", () -> true);
    }
}
