package io.fibry.helidon;

import io.fibry.ActorSystem;
import io.fibry.Overflow;
import java.time.Duration;

/** Servers for the tests. */
final class Servers {

    static final Duration LONG = Duration.ofSeconds(60);

    /** As much backpressure as there is. */
    static final WebSocketOptions PATIENT = WebSocketOptions.defaults().outbox(16, Overflow.BLOCK);

    static final HelidonOptions HTTP_2 = HelidonOptions.defaults().http2(true);

    static final WebSocketEndpoint ECHO = (session, actors) -> actors.newActor(session::tell);

    private Servers() {}

    static HelidonServer start(ActorSystem system, HelidonRoutes routes) {
        return HelidonServer.start(system.actor(), 0, routes, HTTP_2);
    }

    static HelidonServer start(ActorSystem system, WebSocketEndpoint endpoint, WebSocketOptions options) {
        return start(system, HelidonRoutes.none().webSocket("/ws", endpoint, options));
    }
}
