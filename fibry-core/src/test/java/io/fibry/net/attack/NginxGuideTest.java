package io.fibry.net.attack;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Client;
import io.fibry.testing.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The configuration of nginx in the guide limits one address before the server does. */
@Timeout(300)
class NginxGuideTest {

    private static final int CONNECTIONS = 200;
    private static final int ATTACKERS = 300;
    private static final int LIMIT = 20; // of the guide
    private static final String HEAD = " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
    private static final String OTHER = "127.0.0.2";

    /** The configuration with the ports of these servers. All other settings are as in the guide. */
    static String configuration(int first, int second) throws IOException {
        String guide =
                Files.readString(Path.of(System.getProperty("basedir", "."), "..", "docs", "tls-and-proxies.md"));
        Matcher block = Pattern.compile("(?ms)^```nginx\n(.*?)^```$").matcher(guide);
        assertTrue(block.find(), "the guide has a configuration of nginx");
        String text = block.group(1);
        assertTrue(text.contains("127.0.0.1:8081") && text.contains("127.0.0.1:8082"), text);
        return text.replace("127.0.0.1:8081", "127.0.0.1:" + first).replace("127.0.0.1:8082", "127.0.0.1:" + second);
    }

    private static ServerProcess server() throws IOException {
        return ServerProcess.startWith(
                List.of("-Dtimeout=300"), AttackedHttpServer.class, "platform", Integer.toString(CONNECTIONS));
    }

    private static List<Client> send(int clients, String address, int port, String text) throws IOException {
        List<Client> all = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            var client = Client.from(address, port);
            all.add(client);
            Raw.trySend(client, text);
        }
        return all;
    }

    private static void closeAll(List<Client> clients) throws IOException {
        for (Client client : clients) {
            client.close();
        }
    }

    /** The status line, or nothing if the server closes the connection. */
    private static String hello(String address, int port) throws IOException {
        try (var client = Client.from(address, port)) {
            Raw.trySend(client, "GET /hello" + HEAD + "\r\n");
            return Raw.receiveAll(client).lines().findFirst().orElse("");
        }
    }

    @Test
    void incompleteHeadsOfOneAddressDoNotReachTheServer() throws Exception {
        try (var server = server()) {
            List<Client> attackers = send(ATTACKERS, "127.0.0.1", server.port(), "GET /hello" + HEAD);
            assertEquals("", hello(OTHER, server.port()), "without nginx, they take all connections");
            closeAll(attackers);
            Raw.awaitAnswer(server.port());

            try (var nginx = Nginx.start(configuration(server.port(), server.port()))) {
                attackers = send(ATTACKERS, "127.0.0.1", nginx.port(), "GET /hello" + HEAD);
                for (int i = 0; i < 10; i++) {
                    assertEquals("HTTP/1.1 200 OK", hello(OTHER, nginx.port()));
                }
                closeAll(attackers);
            }
        }
    }

    @Test
    void slowBodiesOfOneAddressAreLimited() throws Exception {
        String slow = "POST /hello" + HEAD + "Content-Length: 10\r\n\r\n12345";
        try (var server = server();
                var nginx = Nginx.start(configuration(server.port(), server.port()))) {
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(
                            () -> { // again if they have timed out meanwhile
                                List<Client> attackers = send(LIMIT, "127.0.0.1", nginx.port(), slow);
                                String refusal = hello("127.0.0.1", nginx.port());
                                String other = hello(OTHER, nginx.port());
                                closeAll(attackers);
                                assertEquals("HTTP/1.1 429 Too Many Requests", refusal);
                                assertEquals("HTTP/1.1 200 OK", other);
                            });
        }
    }
}
