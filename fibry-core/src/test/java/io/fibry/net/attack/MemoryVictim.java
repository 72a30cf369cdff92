package io.fibry.net.attack;

import io.fibry.ActorExit;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.net.LineConnection;
import io.fibry.net.LineServer;
import io.fibry.net.TcpAcceptor;
import io.fibry.net.TcpOptions;
import io.fibry.testing.ServerConsole;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * An acceptor and a line server whose handlers use up all memory. The arguments are the strategy, and whether the
 * {@code whole} heap is used, or all but the last megabyte.
 */
final class MemoryVictim {

    /** The exit status after a server has failed. */
    static final int FAILED = 3;

    private static boolean whole;

    private MemoryVictim() {}

    public static void main(String[] arguments) throws Exception {
        ThreadStrategy strategy = AttackedHttpServer.strategy(arguments[0]);
        whole = arguments[1].equals("whole");
        var system = ActorSystem.create();
        var options = TcpOptions.defaults().idleTimeout(Duration.ofMinutes(5)).maxConnections(1_000);
        var acceptor = TcpAcceptor.start(system.actor().strategy(strategy), 0, MemoryVictim::handle, options);
        var lines = LineServer.start(system.actor().strategy(strategy), 0, 100, MemoryVictim::handle, options);
        var unusedFirst = acceptor.exit().thenAccept(MemoryVictim::endIfFailed);
        var unusedSecond = lines.exit().thenAccept(MemoryVictim::endIfFailed);
        var answers = new HashMap<String, Callable<?>>(Map.of(
                "lines port", lines::port,
                "connections", () -> acceptor.connections() + lines.connections(),
                "close", () -> close(system)));
        ServerConsole.run(acceptor.port(), answers);
    }

    /** As a supervisor of the process would do it. */
    static void endIfFailed(ActorExit exit) {
        if (exit.reason() == ActorExit.Reason.FAILED) {
            Runtime.getRuntime().halt(FAILED);
        }
    }

    private static boolean close(ActorSystem system) {
        boolean closed = system.close(Duration.ofSeconds(20));
        if (!closed) {
            System.err.println(system.dump());
        }
        return closed;
    }

    /** Keeps memory until the client closes its connection, or echoes its input. */
    private static void handle(Socket socket) throws IOException {
        int wish = socket.getInputStream().read();
        if (wish == 'k') {
            var memory = new MemoryHog();
            try {
                if (memory.take(whole)) {
                    socket.getOutputStream().write(MemoryHog.FULL);
                }
                while (socket.getInputStream().read() >= 0) {
                    Thread.onSpinWait();
                }
            } finally {
                memory.release();
            }
        } else if (wish >= 0) {
            socket.getOutputStream().write(wish);
        }
    }

    private static void handle(LineConnection connection) throws IOException {
        String wish = connection.read();
        if ("k".equals(wish)) {
            var memory = new MemoryHog();
            try {
                memory.take(whole);
                connection.read();
            } finally {
                memory.release();
            }
        } else if (wish != null) {
            connection.write(wish);
        }
    }
}
