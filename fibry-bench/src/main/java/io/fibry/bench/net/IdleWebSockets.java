package io.fibry.bench.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What an idle WebSocket takes, beside one of Helidon alone. The clients are in this process. Each sends a message of one letter
 * and gets it back.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=net.IdleWebSockets -Dargs="10000 3"}. The arguments are
 * how many WebSockets, and how many rounds. Both processes need a file descriptor for each.
 */
final class IdleWebSockets {

    private static final List<String> PEERS = List.of("helidon", "fibry");

    /** How often how many come and go first: a frame takes less on the stack when its code is compiled. */
    private static final int FIRST_TIMES = 40;

    private static final int FIRST = 500;

    private static final byte[] UPGRADE = String.join(
                    "\r\n",
                    "GET /echo HTTP/1.1",
                    "Host: localhost",
                    "Connection: Upgrade",
                    "Upgrade: websocket",
                    "Sec-WebSocket-Version: 13",
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                    "",
                    "")
            .getBytes(ISO_8859_1);

    // Masked by zeros, as the protocol allows.
    private static final byte[] LETTER = {(byte) 0x81, (byte) 0x81, 0, 0, 0, 0, 'x'};

    private record Bytes(double heap, double resident) {}

    private IdleWebSockets() {}

    public static void main(String[] args) throws IOException {
        int sockets = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 3;
        Map<String, List<Bytes>> found = new HashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (String peer : round % 2 == 0 ? PEERS : PEERS.reversed()) {
                found.computeIfAbsent(peer, p -> new ArrayList<>()).add(measure(peer, sockets));
            }
        }
        Bytes bare = median(found.getOrDefault("helidon", List.of()));
        Bytes fibry = median(found.getOrDefault("fibry", List.of()));
        System.out.printf("%,d idle WebSockets, bytes each; medians of %d rounds%n", sockets, rounds);
        System.out.printf("%15s %10s %10s%n", "", "heap", "resident");
        System.out.printf("%15s %,10.0f %,10.0f%n", "Helidon alone", bare.heap, bare.resident);
        System.out.printf("%15s %,10.0f %,10.0f%n", "fibry-helidon", fibry.heap, fibry.resident);
        System.out.printf("%15s %10.2f %10.2f%n", "ratio", fibry.heap / bare.heap, fibry.resident / bare.resident);
    }

    private static Bytes measure(String peer, int sockets) throws IOException {
        try (Child server = Child.start(WebSocketServers.class, IdleConnections.JVM, peer)) {
            int port = (int) server.number("port");
            for (int i = 0; i < FIRST_TIMES; i++) {
                close(open(port, FIRST));
            }
            long heap = server.number("heap");
            long resident = server.number("resident");
            List<Socket> clients = open(port, sockets);
            long moreHeap = server.number("heap") - heap;
            long moreResident = server.number("resident") - resident;
            close(clients);
            return new Bytes((double) moreHeap / sockets, (double) moreResident / sockets);
        }
    }

    private static List<Socket> open(int port, int sockets) throws IOException {
        var clients = new ArrayList<Socket>();
        for (int i = 0; i < sockets; i++) {
            var client = new Socket(InetAddress.getLoopbackAddress(), port);
            clients.add(client);
            client.getOutputStream().write(UPGRADE);
            skipHead(client);
            client.getOutputStream().write(LETTER);
            client.getInputStream().readNBytes(LETTER.length - 4); // the answer has no mask
        }
        return clients;
    }

    private static void skipHead(Socket client) throws IOException {
        for (int ends = 0; ends < 4; ) {
            int b = client.getInputStream().read();
            if (b < 0) {
                throw new EOFException("a client was refused; see \"ulimit -n\"");
            }
            ends = b == '\r' || b == '\n' ? ends + 1 : 0;
        }
    }

    private static void close(List<Socket> clients) throws IOException {
        for (Socket client : clients) {
            client.close();
        }
    }

    private static Bytes median(List<Bytes> rounds) {
        return new Bytes(
                Rates.median(rounds.stream().map(Bytes::heap).toList()),
                Rates.median(rounds.stream().map(Bytes::resident).toList()));
    }
}
