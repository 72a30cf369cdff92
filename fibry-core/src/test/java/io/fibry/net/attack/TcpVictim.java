package io.fibry.net.attack;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.net.ConnectionHandler;
import io.fibry.net.TcpAcceptor;
import io.fibry.net.TcpOptions;
import io.fibry.testing.Await;
import io.fibry.testing.Certificate;
import io.fibry.testing.ServerConsole;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A TCP server that is attacked. The arguments are the strategy, the work, and the arguments of the work. The property
 * {@code timeout} is the time in seconds for a TLS handshake.
 */
final class TcpVictim {

    /** The size of a download, after the first byte; more than the buffers of both sides hold. */
    static final int DOWNLOAD = 8 << 20;

    private static final CountDownLatch GO = new CountDownLatch(1);
    private static final AtomicInteger SPINNING = new AtomicInteger();
    private static volatile boolean spin = true;

    private TcpVictim() {}

    public static void main(String[] arguments) throws Exception {
        ThreadStrategy strategy = arguments[0].equals("virtual") ? ThreadStrategy.virtual() : ThreadStrategy.platform();
        var system = ActorSystem.create();
        loadPoller();
        var options = TcpOptions.defaults();
        ConnectionHandler handler = switch (arguments[1]) {
            case "echo" -> {
                options = options.maxConnections(Integer.parseInt(arguments[2]));
                yield TcpVictim::echo;
            }
            case "encrypted" -> {
                options = options.tls(Certificate.context(Path.of(arguments[2])))
                        .handshakeTimeout(Duration.ofSeconds(Integer.getInteger("timeout", 2)));
                yield TcpVictim::echo;
            }
            case "download" -> TcpVictim::download;
            case "spin" -> TcpVictim::spin;
            case "faults" -> TcpVictim::fail;
            default -> throw new IllegalArgumentException(arguments[1]);
        };
        var server = TcpAcceptor.start(system.actor().strategy(strategy), 0, handler, options);
        var health = TcpAcceptor.start(
                system.actor().strategy(ThreadStrategy.platform()), 0, TcpVictim::echo, TcpOptions.defaults());
        ServerConsole.run(server.port(), answers(server, health));
    }

    /** The first virtual thread that waits for a socket loads the poller of the JDK, which needs file descriptors. */
    private static void loadPoller() throws IOException {
        try (var listener = new ServerSocket(0)) {
            var accept = new FutureTask<>(listener::accept);
            Await.untilBlocked(Thread.startVirtualThread(accept));
            try (var client = new Socket("localhost", listener.getLocalPort())) {
                Await.value(accept).close();
                if (client.getInputStream().read() >= 0) {
                    throw new IOException("the connection has no data");
                }
            }
        }
    }

    private static Map<String, Callable<?>> answers(TcpAcceptor server, TcpAcceptor health) {
        var answers = new HashMap<String, Callable<?>>();
        answers.put("health port", health::port);
        answers.put("connections", server::connections);
        answers.put("all gone", () -> server.awaitConnections(0, Duration.ofSeconds(60)));
        answers.put("accepted", () -> server.stats().accepted());
        answers.put("refused", () -> server.stats().refused());
        answers.put("failed accepts", () -> server.stats().failedAccepts());
        answers.put("timed out", () -> server.stats().timedOut());
        answers.put("spinning", SPINNING::get);
        answers.put("stop spinning", () -> {
            spin = false;
            return "stopped";
        });
        answers.put("go", () -> {
            GO.countDown();
            return "gone";
        });
        answers.put("stop", () -> {
            server.stop();
            return server.exit().isDone();
        });
        answers.put("close", () -> {
            server.close(Duration.ofSeconds(2));
            server.exit().get(60, TimeUnit.SECONDS); // a busy machine may need longer than the close waits
            return true;
        });
        return answers;
    }

    private static void echo(Socket socket) throws IOException {
        socket.getInputStream().transferTo(socket.getOutputStream());
    }

    /**
     * The first byte at once; the rest when the test permits, but never for clients that request an endless download.
     */
    private static void download(Socket socket) throws Exception {
        int wish = socket.getInputStream().read();
        if (wish >= 0) {
            socket.getOutputStream().write('x');
            GO.await();
            if (wish == 'n') {
                new CountDownLatch(1).await();
            }
            byte[] piece = new byte[1 << 13];
            for (int sent = 0; sent < DOWNLOAD; sent += piece.length) {
                socket.getOutputStream().write(piece);
            }
        }
    }

    private static void spin(Socket socket) throws IOException {
        if (socket.getInputStream().read() == 's') {
            SPINNING.incrementAndGet();
            while (spin) {
                Thread.onSpinWait();
            }
        }
        socket.getOutputStream().write('x');
    }

    /** Performs the action that the first byte selects. */
    private static void fail(Socket socket) throws Exception {
        switch (socket.getInputStream().read()) {
            case 'e' -> throw new IllegalStateException("on purpose");
            case 'E' -> throw new AssertionError("on purpose");
            case 'c' -> throw new Exception("on purpose");
            case 'w' -> socket.getOutputStream().write(new byte[1 << 20]);
            case 'r' -> socket.getInputStream().readAllBytes();
            default -> echo(socket);
        }
    }
}
