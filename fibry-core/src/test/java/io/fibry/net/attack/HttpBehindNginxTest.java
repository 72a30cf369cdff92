package io.fibry.net.attack;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.http.HttpOptions;
import io.fibry.http.HttpRoutes;
import io.fibry.http.HttpServerActor;
import io.fibry.net.attack.Corpus.Malformed;
import io.fibry.testing.NoLeftovers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sends the same through a proxy that keeps its connections to the server: both have to count the same requests. */
@ExtendWith(NoLeftovers.class)
@Timeout(300)
class HttpBehindNginxTest {

    /** In short, the requests that try to smuggle another one. */
    private static List<Malformed> attacks() {
        return Corpus.all().stream()
                .filter(attack -> Attack.FULL || attack.request().contains(Corpus.SMUGGLED))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void proxyAndServerSeeTheSameRequests(String name) throws Exception {
        ThreadStrategy strategy = AttackedHttpServer.strategy(name);
        List<String> handled = Collections.synchronizedList(new ArrayList<>());
        HttpRoutes routes = HttpRoutes.all(exchange -> {
            exchange.getRequestBody().readAllBytes();
            handled.add(exchange.getRequestURI().toString());
            return "handled " + exchange.getRequestURI();
        });
        try (var system = ActorSystem.create();
                var server =
                        HttpServerActor.start(system.actor().strategy(strategy), 0, routes, HttpOptions.defaults());
                var nginx = Nginx.start(server.port())) {
            int number = 0;
            for (Malformed attack : attacks()) {
                Raw.exchange(nginx.port(), attack.bytes(), Integer.MAX_VALUE);
                String path = "/after" + number++;
                String response = Raw.get(nginx.port(), path);
                assertTrue(response.startsWith("HTTP/1.1 200 "), attack + ": " + response);
                assertTrue(response.endsWith("handled " + path), attack + ": " + response);
            }
            // nginx writes to its log when it has completed a request, a moment after the client
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertEquals(
                            passedOn(nginx), handled.stream().sorted().toList()));
            assertTrue(handled.size() > number, "some of them get to the server");
        }
    }

    /** The paths of the requests that nginx has passed on, and that the server has accepted. */
    private static List<String> passedOn(Nginx nginx) throws IOException {
        return nginx.requests().stream()
                .filter(line -> line.contains("200 "))
                .map(line -> line.substring(line.indexOf("200 ") + 4))
                .sorted()
                .toList();
    }
}
