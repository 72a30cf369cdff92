package io.fibry.examples;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.Sink;
import io.fibry.helidon.HelidonRoutes;
import io.fibry.helidon.HelidonServer;
import io.fibry.helidon.WebSocketMessage;
import io.fibry.helidon.WebSocketMessage.Text;
import io.fibry.helidon.WebSocketOptions;
import io.fibry.helidon.WebSocketSession;
import io.fibry.stereotypes.Stereotypes;
import io.helidon.http.HeaderNames;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The chat room of {@link TcpChat} as a page for browsers. The room is an actor, and so is each session. The first
 * message of a session is the user's name. The argument is the port.
 */
public final class WebChat {
    private static final int LONGEST_NAME = 30;

    /** A slow user misses the oldest lines, and does not delay the others. */
    private static final WebSocketOptions OPTIONS =
            WebSocketOptions.defaults().outbox(100, Overflow.DROP_OLDEST).maxMessageBytes(4_000);

    private final Sink<Map<WebSocketSession, String>> room = Stereotypes.def().sink(new HashMap<>());

    public static void main(String[] args) {
        HelidonServer server = new WebChat().start(args.length > 0 ? Integer.parseInt(args[0]) : 8080);
        System.out.println("Open http://localhost:" + server.port() + "/ in two tabs. Press Ctrl-C to stop.");
    }

    HelidonServer start(int port) {
        var routes = HelidonRoutes.none()
                .http(http -> http.get("/", (request, response) -> {
                    response.header(HeaderNames.CONTENT_TYPE, "text/html; charset=utf-8");
                    response.send(page());
                }))
                .webSocket("/chat", this::open, OPTIONS);
        return HelidonServer.start(ActorSystem.anonymous(), port, routes).closeOnExit(room);
    }

    private Actor<WebSocketMessage> open(WebSocketSession session, ActorBuilder<Object> actors) {
        return actors.onStop(exit -> leave(session)).newActor(message -> {
            if (message instanceof Text(String line) && !line.isBlank()) {
                room.execute(users -> hear(users, session, line.strip()));
            }
        });
    }

    private static void hear(Map<WebSocketSession, String> users, WebSocketSession session, String line) {
        String name = users.get(session);
        if (name != null) {
            say(users, name + ": " + line);
        } else {
            String newName =
                    line.substring(0, Math.min(line.length(), LONGEST_NAME)).replace(':', ' ');
            users.put(session, newName);
            say(users, newName + " comes in.");
        }
    }

    private void leave(WebSocketSession session) {
        room.execute(users -> {
            String name = users.remove(session);
            if (name != null) {
                say(users, name + " leaves.");
            }
        });
    }

    private static void say(Map<WebSocketSession, String> users, String line) {
        users.keySet().forEach(user -> user.send(line));
    }

    private static byte[] page() throws IOException {
        try (InputStream in = WebChat.class.getResourceAsStream("/web-chat.html")) {
            return Objects.requireNonNull(in).readAllBytes();
        }
    }
}
