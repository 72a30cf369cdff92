package io.fibry.net.attack;

import com.sun.net.httpserver.HttpExchange;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.http.HttpOptions;
import io.fibry.http.HttpRoutes;
import io.fibry.http.HttpServerActor;
import io.fibry.testing.ServerConsole;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/** Two HTTP servers, whose handlers take memory. The arguments are those of {@link MemoryVictim}. */
final class HttpMemoryVictim {

    private static boolean whole;

    private HttpMemoryVictim() {}

    public static void main(String[] arguments) throws Exception {
        ThreadStrategy strategy = AttackedHttpServer.strategy(arguments[0]);
        whole = arguments[1].equals("whole");
        var system = ActorSystem.create();
        var options = HttpOptions.defaults();
        var routes = HttpRoutes.none()
                .exchange("POST", "/keep", HttpMemoryVictim::keep)
                .get("/hello", exchange -> "hello");
        var server = HttpServerActor.start(system, strategy, null, 0, routes, options);
        var other = HttpServerActor.start(system, strategy, null, 0, routes, options);
        var answers = new HashMap<String, Callable<?>>(
                Map.of("other port", other::port, "close", () -> system.close(Duration.ofSeconds(20))));
        ServerConsole.run(server.port(), answers);
    }

    /** Keeps memory until the client, which never sends all of its body, hangs up. */
    private static void keep(HttpExchange exchange) throws IOException {
        var memory = new MemoryHog();
        try {
            if (memory.take(whole)) {
                exchange.sendResponseHeaders(200, 1);
            }
            exchange.getRequestBody().readAllBytes();
        } finally {
            memory.release();
        }
    }
}
