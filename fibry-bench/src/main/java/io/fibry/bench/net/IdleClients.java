package io.fibry.bench.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the memory of idle clients in a bare server and in a server of this library, alternately. The clients are in
 * this process. Each client first has an exchange with its server, so that its handler waits for more input.
 */
final class IdleClients {

    /** The exchange of a client with its server. */
    interface Greeting {
        void exchange(Socket client) throws IOException;
    }

    /**
     * A server in a separate process.
     *
     * @param title the title in the table
     * @param argument the argument of its program
     */
    record Peer(String title, String argument) {}

    private record Bytes(double heap, double resident) {}

    /**
     * Options for a heap that returns unused memory, so that the memory of the process follows it, and for a compacting
     * collector.
     */
    private static final List<String> JVM = List.of(
            "-Xms32m",
            "-Xmx2g",
            "-XX:+UseSerialGC",
            "-XX:MarkSweepDeadRatio=0",
            "-XX:MinHeapFreeRatio=5",
            "-XX:MaxHeapFreeRatio=10");

    /**
     * The rounds and clients of the warm-up: a stack frame is smaller when its code is compiled. A smoke test has one
     * round.
     */
    private static final int FIRST_TIMES = Math.max(1, 40 / Integer.getInteger("fibry.bench.divisor", 1));

    private static final int FIRST = 500;

    private final Class<?> program;
    private final Greeting greeting;
    private final int clients;

    private IdleClients(Class<?> program, Greeting greeting, int clients) {
        this.program = program;
        this.greeting = greeting;
        this.clients = clients;
    }

    /** Prints a table. The arguments are the number of clients and the number of rounds, by default 10,000 and 3. */
    static void compare(String what, Class<?> program, Greeting greeting, Peer bare, Peer ours, String[] args)
            throws IOException {
        int clients = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 3;
        var idle = new IdleClients(program, greeting, clients);
        var ofBare = new ArrayList<Bytes>();
        var ofOurs = new ArrayList<Bytes>();
        for (int round = 0; round < rounds; round++) {
            boolean bareFirst = round % 2 == 0;
            if (bareFirst) {
                ofBare.add(idle.measure(bare));
            }
            ofOurs.add(idle.measure(ours));
            if (!bareFirst) {
                ofBare.add(idle.measure(bare));
            }
        }
        Bytes b = median(ofBare);
        Bytes o = median(ofOurs);
        System.out.printf("%,d idle %s, bytes each; medians of %d rounds%n", clients, what, rounds);
        System.out.printf("%22s %10s %10s%n", "", "heap", "resident");
        System.out.printf("%22s %,10.0f %,10.0f%n", bare.title, b.heap, b.resident);
        System.out.printf("%22s %,10.0f %,10.0f%n", ours.title, o.heap, o.resident);
        System.out.printf("%22s %10.2f %10.2f%n", "ratio", o.heap / b.heap, o.resident / b.resident);
    }

    private Bytes measure(Peer peer) throws IOException {
        try (Child server = Child.start(program, JVM, peer.argument)) {
            int port = (int) server.number("port");
            for (int i = 0; i < FIRST_TIMES; i++) {
                close(open(port, FIRST));
            }
            long heap = server.number("heap");
            long resident = server.number("resident");
            List<Socket> sockets = open(port, clients);
            long moreHeap = server.number("heap") - heap;
            long moreResident = server.number("resident") - resident;
            close(sockets);
            return new Bytes((double) moreHeap / clients, (double) moreResident / clients);
        }
    }

    private List<Socket> open(int port, int count) throws IOException {
        var sockets = new ArrayList<Socket>();
        for (int i = 0; i < count; i++) {
            var socket = new Socket(InetAddress.getLoopbackAddress(), port);
            sockets.add(socket);
            greeting.exchange(socket);
        }
        return sockets;
    }

    private static void close(List<Socket> sockets) throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private static Bytes median(List<Bytes> rounds) {
        return new Bytes(
                Rates.median(rounds.stream().map(Bytes::heap).toList()),
                Rates.median(rounds.stream().map(Bytes::resident).toList()));
    }
}
