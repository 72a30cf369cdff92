package io.fibry.net.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.net.TcpAcceptor;
import io.fibry.net.TcpOptions;
import io.fibry.testing.Client;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import io.fibry.testing.ThreadKinds;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Headers of the PROXY protocol that are damaged, cut off, or sent by an untrusted client. A handler sees an address
 * that a trusted proxy has sent in a valid header, or the connection's own.
 */
@ExtendWith(NoLeftovers.class)
@Timeout(300)
class AttackProxyHeaderTest {

    private static final int HEADERS = Attack.size(500, 50_000);
    private static final int SILENT = Attack.size(20, 200);
    private static final String TRUSTED = "127.0.0.1";
    private static final String STRANGER = "127.0.0.2";
    private static final String HONEST = "PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n";
    private static final List<String> VALID = List.of(
            HONEST,
            "PROXY TCP6 2001:db8::1 ::1 65535 2\r\n",
            "PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n",
            second("2111000c" + "c0000202" + "c6336401" + "1f90" + "01bb"),
            second("2121002a" + "20010db8000000000000000000000001".repeat(2) + "1f9001bb" + "030003ffffff"),
            second("20000000"));

    private static String second(String hex) {
        return new String(HexFormat.of().parseHex("0d0a0d0a000d0a515549540a" + hex), ISO_8859_1);
    }

    @ThreadKinds
    void untrustedClientsCannotChooseAnAddress(ThreadStrategy strategy) throws Exception {
        SplittableRandom random = Attack.random();
        var options = TcpOptions.defaults()
                .trustedProxies(address -> address.getHostAddress().equals(TRUSTED))
                .handshakeTimeout(Duration.ofSeconds(2));
        try (var log = new LogLines();
                var system = ActorSystem.create();
                var acceptor =
                        TcpAcceptor.start(system.actor().strategy(strategy), 0, AttackProxyHeaderTest::tell, options)) {
            List<Client> silent = new ArrayList<>();
            for (int i = 0; i < HEADERS; i++) {
                String header = damaged(Attack.oneOf(VALID, random), random);
                String answer = answer(new Client(acceptor.port()), header + "hello");
                assertTrue(answer.isEmpty() || answer.matches("(?s)\\[[0-9a-f.:]+\\] .*"), answer);
                assertEquals(
                        "[" + STRANGER + "] " + header + "hello",
                        answer(Client.from(STRANGER, acceptor.port()), header + "hello"));
                assertEquals("[192.0.2.1] hello", answer(new Client(acceptor.port()), HONEST + "hello"));
                if (i < SILENT) {
                    silent.add(new Client(acceptor.port()).send(HONEST.substring(0, i % HONEST.length())));
                }
            }
            assertTrue(acceptor.awaitConnections(0, Duration.ofSeconds(60)));
            assertTrue(acceptor.stats().timedOut() >= SILENT);
            for (Client client : silent) {
                client.close();
            }
            assertEquals(List.of(), log.with("ERROR"));
        }
    }

    /** Sends back the address that the handler sees, and its input. */
    private static void tell(Socket socket) throws IOException {
        String all = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        String answer = "[" + socket.getInetAddress().getHostAddress() + "] " + all;
        socket.getOutputStream().write(answer.getBytes(ISO_8859_1));
    }

    private static String answer(Client client, String text) throws IOException {
        try (client) {
            byte[] answer = client.send(text.getBytes(ISO_8859_1)).end().receiveAllBytes();
            return new String(answer, ISO_8859_1);
        } catch (SocketException reset) {
            return "";
        }
    }

    /** With a few changes: a piece left out, inserted twice or cut off, or bytes changed. */
    private static String damaged(String header, SplittableRandom random) {
        var text = new StringBuilder(header);
        for (int i = random.nextInt(1, 4); i > 0 && !text.isEmpty(); i--) {
            int from = random.nextInt(text.length());
            int to = Math.min(text.length(), from + random.nextInt(1, 9));
            switch (random.nextInt(5)) {
                case 0 -> text.delete(from, to);
                case 1 -> text.insert(to, text.substring(from, to));
                case 2 -> text.setLength(from);
                case 3 -> text.setCharAt(from, (char) random.nextInt(256));
                default -> text.setCharAt(from, (char) (text.charAt(from) ^ (1 << random.nextInt(8))));
            }
        }
        return text.toString();
    }
}
