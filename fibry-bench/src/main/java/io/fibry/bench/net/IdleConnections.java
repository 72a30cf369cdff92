package io.fibry.bench.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What an idle TCP connection takes, beside one of a bare server with a virtual thread for each. The clients are in this
 * process. Each sends a byte and gets it back, so its handler waits in a read of the second one.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=net.IdleConnections -Dargs="10000 3"}. The arguments
 * are how many connections, and how many rounds. Both processes need a file descriptor for each connection.
 */
final class IdleConnections {

    /**
     * A heap that gives back what it does not need, so that the memory of the process follows it, and a collector that leaves nothing
     * lying between what lives.
     */
    static final List<String> JVM = List.of(
            "-Xms32m",
            "-Xmx2g",
            "-XX:+UseSerialGC",
            "-XX:MarkSweepDeadRatio=0",
            "-XX:MinHeapFreeRatio=5",
            "-XX:MaxHeapFreeRatio=10");

    private static final List<NetPeer> PEERS = List.of(NetPeer.JDK, NetPeer.FIBRY);

    /** How often how many connections come and go first: a frame takes less on the stack when its code is compiled. */
    private static final int FIRST_TIMES = 40;

    private static final int FIRST = 500;

    private record Bytes(double heap, double resident) {}

    private IdleConnections() {}

    public static void main(String[] args) throws IOException {
        int connections = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 3;
        Map<NetPeer, List<Bytes>> found = new EnumMap<>(NetPeer.class);
        for (int round = 0; round < rounds; round++) {
            for (NetPeer peer : round % 2 == 0 ? PEERS : PEERS.reversed()) {
                found.computeIfAbsent(peer, p -> new ArrayList<>()).add(measure(peer, connections));
            }
        }
        Bytes bare = median(found.getOrDefault(NetPeer.JDK, List.of()));
        Bytes fibry = median(found.getOrDefault(NetPeer.FIBRY, List.of()));
        System.out.printf("%,d idle connections, bytes each; medians of %d rounds%n", connections, rounds);
        System.out.printf("%22s %10s %10s%n", "", "heap", "resident");
        System.out.printf("%22s %,10.0f %,10.0f%n", "bare virtual threads", bare.heap, bare.resident);
        System.out.printf("%22s %,10.0f %,10.0f%n", NetPeer.FIBRY.title(), fibry.heap, fibry.resident);
        System.out.printf("%22s %10.2f %10.2f%n", "ratio", fibry.heap / bare.heap, fibry.resident / bare.resident);
    }

    private static Bytes measure(NetPeer peer, int connections) throws IOException {
        try (Child server = Child.start(IdleServer.class, JVM, peer.name())) {
            int port = (int) server.number("port");
            for (int i = 0; i < FIRST_TIMES; i++) {
                close(open(port, FIRST));
            }
            long heap = server.number("heap");
            long resident = server.number("resident");
            List<Socket> clients = open(port, connections);
            long moreHeap = server.number("heap") - heap;
            long moreResident = server.number("resident") - resident;
            close(clients);
            return new Bytes((double) moreHeap / connections, (double) moreResident / connections);
        }
    }

    private static List<Socket> open(int port, int connections) throws IOException {
        var clients = new ArrayList<Socket>();
        for (int i = 0; i < connections; i++) {
            var client = new Socket(InetAddress.getLoopbackAddress(), port);
            clients.add(client);
            client.getOutputStream().write('x');
            if (client.getInputStream().read() != 'x') {
                throw new IOException("connection " + i + " was refused; see \"ulimit -n\"");
            }
        }
        return clients;
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
