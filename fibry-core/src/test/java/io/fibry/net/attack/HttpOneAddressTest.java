package io.fibry.net.attack;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.testing.Client;
import io.fibry.testing.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One address sends requests that never end. It gets its share of the server, and the others are served. */
@Timeout(300)
class HttpOneAddressTest {

    private static final int SHARE = 10;
    private static final int ATTACKERS = Attack.size(60, 500);
    private static final int WAVES = Attack.size(2, 10);

    /** No request ends by a timeout. */
    private static final List<String> OPTIONS = List.of("-Dtimeout=300", "-Dshare=" + SHARE);

    private static final String HEAD = " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
    private static final String SLOW = "POST /" + HEAD + "Content-Length: 10\r\n\r\n12345";

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void theOthersAreServed(String strategy) throws Exception {
        try (var server = ServerProcess.startWith(OPTIONS, AttackedHttpServer.class, strategy, "1000")) {
            for (int wave = 1; wave <= WAVES; wave++) {
                List<Client> attackers = new ArrayList<>();
                for (int i = 0; i < ATTACKERS; i++) {
                    attackers.add(attacker(server.port()).send(SLOW));
                    assertEquals(200, hello(new Client(server.port())));
                }
                long refused = (long) wave * (ATTACKERS - SHARE);
                await().atMost(Duration.ofSeconds(60)).until(() -> server.number("refused") == refused);
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> server.number("in work") == SHARE); // a greeting may just end
                for (Client client : attackers) {
                    client.reset();
                }
                await().atMost(Duration.ofSeconds(60)).until(() -> server.number("in work") == 0);
            }
            assertEquals(200, hello(attacker(server.port())));
        }
    }

    private static Client attacker(int port) throws IOException {
        return Client.from("127.0.0.2", port);
    }

    private static int hello(Client client) throws IOException {
        try (client) {
            return Response.read(client.send("GET /hello" + HEAD + "\r\n")).status();
        }
    }
}
