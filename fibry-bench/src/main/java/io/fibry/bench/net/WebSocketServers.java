package io.fibry.bench.net;

import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.bench.Heap;
import io.fibry.helidon.HelidonOptions;
import io.fibry.helidon.HelidonRoutes;
import io.fibry.helidon.HelidonServer;
import io.fibry.helidon.WebSocketOptions;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.websocket.WsRouting;
import io.helidon.websocket.WsListener;
import io.helidon.websocket.WsSession;

/**
 * A server that echoes the messages of WebSockets. The argument is the server: {@code fibry}, or {@code helidon} alone.
 */
final class WebSocketServers {

    private static final int MANY = 1_000_000;

    private WebSocketServers() {}

    public static void main(String[] args) throws Exception {
        int port = args[0].equals("fibry") ? fibry() : helidon();
        Child.answer(question -> switch (question) {
            case "port" -> port;
            case "heap" -> Heap.used();
            case "resident" -> IdleServer.resident();
            default -> throw new IllegalArgumentException(question);
        });
    }

    private static int fibry() {
        var options = WebSocketOptions.defaults().outbox(16, Overflow.BLOCK);
        var routes =
                HelidonRoutes.none().webSocket("/echo", (session, actors) -> actors.newActor(session::tell), options);
        return HelidonServer.start(
                        ActorSystem.defaultSystem().actor(),
                        0,
                        routes,
                        HelidonOptions.defaults().maxConnections(MANY))
                .port();
    }

    private static int helidon() {
        var echo = new WsListener() {
            @Override
            public void onMessage(WsSession session, String text, boolean last) {
                session.send(text, last);
            }
        };
        return WebServer.builder()
                .backlog(1024)
                .addRouting(WsRouting.builder().endpoint("/echo", echo))
                .build()
                .start()
                .port();
    }
}
