package io.fibry.bench.net;

import io.fibry.bench.Heap;
import io.fibry.net.TcpOptions;
import io.fibry.stereotypes.Stereotypes;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;

/** A server for the measurement of its memory. The argument is the peer, {@code FIBRY} or {@code JDK}. */
final class IdleServer {

    private static final int MANY = 1_000_000;
    private static final Path STATUS = Path.of("/proc/self/status");

    private IdleServer() {}

    public static void main(String[] args) throws Exception {
        int port = NetPeer.valueOf(args[0]) == NetPeer.FIBRY ? fibry() : bare();
        Child.answer(question -> switch (question) {
            case "port" -> port;
            case "heap" -> Heap.used();
            case "resident" -> resident();
            default -> throw new IllegalArgumentException(question);
        });
    }

    private static int fibry() {
        var options = TcpOptions.defaults().maxConnections(MANY);
        return Stereotypes.fibers().tcpAcceptor(0, Servers::echo, options).port();
    }

    private static int bare() throws IOException {
        var server = new ServerSocket(0, 1024);
        Thread.ofPlatform()
                .name("accept")
                .start(() -> Servers.serve(server, Thread::startVirtualThread, Servers::echo));
        return server.getLocalPort();
    }

    /** Returns the memory of this process in bytes; 0 if the operating system is not Linux. */
    static long resident() throws IOException {
        if (!Files.exists(STATUS)) {
            return 0;
        }
        return Files.readAllLines(STATUS).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                .sum();
    }
}
