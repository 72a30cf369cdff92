package io.fibry.net.attack;

import com.sun.net.httpserver.HttpExchange;
import io.fibry.ActorExit;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.http.HttpOptions;
import io.fibry.http.HttpRoutes;
import io.fibry.http.HttpServerActor;
import io.fibry.http.ReplyHandler;
import io.fibry.testing.ServerConsole;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/** Two HTTP servers, whose handlers use up memory. The arguments are the same as for {@link MemoryVictim}. */
final class HttpMemoryVictim {

    private static boolean whole;

    private HttpMemoryVictim() {}

    public static void main(String[] arguments) throws Exception {
        ThreadStrategy strategy = AttackedHttpServer.strategy(arguments[0]);
        whole = arguments[1].equals("whole");
        var system = ActorSystem.create();
        var options = HttpOptions.defaults();
        var routes = HttpRoutes.none()
                .handle("POST", "/keep", ReplyHandler.of(HttpMemoryVictim::keep))
                .get("/hello", exchange -> "hello");
        IntFunction<HttpServerActor> start =
                port -> HttpServerActor.start(system.actor().strategy(strategy), port, routes, options);
        int server = startAndWatch(start);
        int other = startAndWatch(start);
        var answers = new HashMap<String, Callable<?>>(
                Map.of("other port", () -> other, "close", () -> system.close(Duration.ofSeconds(20))));
        ServerConsole.run(server, answers);
    }

    /**
     * Starts a server, and a thread that replaces it after each failure: later there may be no memory for a thread. If
     * a server cannot be replaced, the process ends.
     */
    private static int startAndWatch(IntFunction<HttpServerActor> start) {
        HttpServerActor first = start.apply(0);
        Thread.ofPlatform().daemon().start(() -> replaceAfterFailures(start, first));
        return first.port();
    }

    private static void replaceAfterFailures(IntFunction<HttpServerActor> start, HttpServerActor first) {
        HttpServerActor server = first;
        boolean failed = true;
        while (failed) {
            try {
                failed = server.exit().join().reason() == ActorExit.Reason.FAILED;
                if (failed) {
                    server = start.apply(first.port());
                }
            } catch (OutOfMemoryError e) {
                LockSupport.parkNanos(1_000_000);
            } catch (RuntimeException | Error e) {
                Runtime.getRuntime().halt(MemoryVictim.FAILED);
            }
        }
    }

    /** Keeps memory until the client, which never sends all of its body, closes its connection. */
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
