package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.helidon.EventStreams;
import io.fibry.helidon.HelidonRoutes;
import io.fibry.helidon.HelidonServer;
import io.fibry.helidon.RawClient;
import io.fibry.helidon.StreamEvent;
import io.fibry.helidon.WebSocketEndpoint;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code in the Javadoc. */
@Timeout(60)
class HelidonSnippets {

    @Test
    void endpoint() throws Exception {
        // @start region="endpoint"
        WebSocketEndpoint echo = (session, actors) -> actors.newActor(message -> session.tell(message));
        // @end
        try (var server = HelidonServer.start(
                        ActorSystem.anonymous(), 0, HelidonRoutes.none().webSocket("/echo", echo));
                var client = new RawClient(server.port(), "/echo")) {
            client.text("hello");
            assertEquals("hello", client.read().text());
            client.close(1000);
        }
    }

    @Test
    void events() {
        // @start region="events"
        EventStreams prices = EventStreams.create();
        HelidonRoutes routes = HelidonRoutes.none().events("/prices", prices);
        prices.publish(new StreamEvent("price", "1", "42.17"));
        // @end
        HelidonServer.start(ActorSystem.anonymous(), 0, routes).close();
    }

    @Test
    void routes() throws Exception {
        // @start region="routes"
        ReplyActor<String, String> greeter =
                ActorSystem.anonymous().newActorWithReturn((String name) -> "Hello " + name + "!");
        HelidonRoutes routes = HelidonRoutes.none()
                .http(http -> http.get("/hello/{name}", (request, response) -> {
                    String name = request.path().pathParameters().get("name");
                    response.send(greeter.call(name, Duration.ofSeconds(1)));
                }))
                .webSocket("/echo", (session, actors) -> actors.newActor(message -> session.tell(message)));
        // @end
        try (var server = HelidonServer.start(ActorSystem.anonymous(), 0, routes);
                var in = URI.create("http://localhost:" + server.port() + "/hello/Ann")
                        .toURL()
                        .openStream()) {
            assertEquals("Hello Ann!", new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
