package io.fibry.net.attack;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.http.HttpOptions;
import io.fibry.http.HttpRoutes;
import io.fibry.http.HttpServerActor;
import io.fibry.sockets.RequestPathTest;
import io.fibry.testing.NoLeftovers;
import io.fibry.testing.ThreadKinds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A proxy denies a path, and passes the targets of all other requests on unchanged. It decides by a path without dot
 * segments, escapes and double slashes. No spelling of another path may reach the handler of the denied one.
 */
@ExtendWith(NoLeftovers.class)
@Timeout(300)
class HttpPathRulesTest {

    private static final int TARGETS = Attack.size(300, 20_000);
    private static final String DENIED = "location /admin { return 403; }";
    private static final List<String> NAMES =
            List.of("admin", "admin", "%61dmin", "Admin", "public", "public", "x", "");
    private static final List<String> DOTS =
            List.of(".", "..", "..", "%2e", "%2e%2e", ".%2e", "%2E.", "%2E%2e", "...", "..;", ".%00.", "%252e%252e");
    private static final List<String> SLASHES = List.of("/", "/", "/", "/", "//", "%2f", "%2F", "\\", "%5c", ";/");

    @ThreadKinds
    void noSpellingPassesTheRule(ThreadStrategy strategy) throws Exception {
        var routes = HttpRoutes.all(exchange -> "open")
                .get("/admin/*", exchange -> "secret")
                .get("/public/*", exchange -> "open");
        SplittableRandom random = Attack.random();
        var statuses = new TreeMap<Integer, Integer>();
        try (var system = ActorSystem.create();
                var server =
                        HttpServerActor.start(system.actor().strategy(strategy), 0, routes, HttpOptions.defaults());
                var nginx = Nginx.start(server.port(), DENIED)) {
            assertTrue(Raw.get(server.port(), "/admin/x").endsWith("secret"), "the server itself has no such rule");
            for (String target : targets(random)) {
                String response = Raw.get(nginx.port(), target);
                assertFalse(response.contains("secret"), target);
                statuses.merge(Integer.parseInt(response.substring(9, 12)), 1, Integer::sum);
                String honest = Raw.get(nginx.port(), "/public/x");
                assertTrue(honest.endsWith("\r\n\r\nopen"), honest);
            }
        }
        assertTrue(statuses.keySet().containsAll(List.of(200, 400, 403)), statuses::toString);
        assertTrue(statuses.lastKey() < 500, statuses::toString);
    }

    /** The common corpus of both servers, and the requested number of random targets. */
    private static List<String> targets(SplittableRandom random) throws IOException {
        List<String> targets = new ArrayList<>(RequestPathTest.corpus("refused"));
        targets.add("/admin/x");
        int size = targets.size() + TARGETS;
        while (targets.size() < size) {
            var target = new StringBuilder("/");
            int segments = random.nextInt(1, 7);
            for (int i = 0; i < segments; i++) {
                target.append(Attack.oneOf(random.nextInt(3) == 0 ? DOTS : NAMES, random))
                        .append(i == segments - 1 ? "" : Attack.oneOf(SLASHES, random));
            }
            targets.add(target.toString());
        }
        return targets;
    }
}
