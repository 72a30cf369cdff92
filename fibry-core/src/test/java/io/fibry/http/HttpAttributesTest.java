package io.fibry.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpExchange;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Certificate;
import io.fibry.testing.Client;
import io.fibry.testing.NoLeftovers;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Attributes of an exchange, such as the name of a user, are not visible in any other exchange. */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
class HttpAttributesTest {

    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n";
    private static final String LAST = "Connection: close\r\n\r\n";

    /** The previous name of the exchange, and the current one. */
    private static String remember(HttpExchange exchange) {
        Object before = exchange.getAttribute("user");
        String user = exchange.getRequestHeaders().getFirst("X-User");
        exchange.setAttribute("user", user);
        String both = before + " " + exchange.getAttribute("user");
        if (user == null) {
            exchange.setAttribute("other", "value");
            exchange.setAttribute("other", null);
            both += " " + exchange.getAttribute("other");
        }
        return both;
    }

    @AllStrategies
    void belongToOneExchange(ThreadStrategy strategy) throws Exception {
        try (var system = ActorSystem.create();
                var server = HttpServerActor.start(
                        system.actor().strategy(strategy),
                        0,
                        HttpRoutes.all(HttpAttributesTest::remember),
                        HttpOptions.defaults())) {
            try (var alice = new Client(server.port())) {
                String response =
                        alice.send(REQUEST + "X-User: alice\r\n" + LAST).receiveAll();
                assertEquals("null alice", body(response));
            }
            try (var other = new Client(server.port())) {
                assertEquals("null null null", body(other.send(REQUEST + LAST).receiveAll()));
            }
        }
    }

    @Test
    void belongToOneExchangeWithTls() throws Exception {
        try (var certificate = new Certificate();
                var system = ActorSystem.create();
                var server = HttpServerActor.start(
                        system.actor().strategy(ThreadStrategy.virtual()),
                        0,
                        HttpRoutes.all(HttpAttributesTest::remember),
                        HttpOptions.defaults().tls(certificate.context()))) {
            assertEquals("null alice", secretly(certificate, server.port(), "X-User: alice\r\n"));
            assertEquals("null null null", secretly(certificate, server.port(), ""));
        }
    }

    private static String secretly(Certificate certificate, int port, String header) throws Exception {
        try (Socket socket = certificate.context().getSocketFactory().createSocket("localhost", port)) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write((REQUEST + header + LAST).getBytes(StandardCharsets.UTF_8));
            return body(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static String body(String response) {
        return response.substring(response.indexOf("\r\n\r\n") + 4);
    }
}
