package io.fibry.examples.tour;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;

/**
 * Sends requests from this process, with one thread and a fixed number of connections. Each connection sends its next
 * request when the previous response is complete. The number of requests is limited, so that the local ports do not run
 * out.
 */
final class Load {

    static final int CONNECTIONS = 100;
    private static final int MOST_REQUESTS = 100_000;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final InetSocketAddress address;
    private final boolean keepAlive;
    private final byte[] end;

    private long deadline;
    private int open;
    private int started;
    private int answered;
    private int failed;

    /**
     * A response is complete when it ends with {@code end} and, without keep-alive, the server has closed the
     * connection.
     */
    Load(int port, boolean keepAlive, String end) {
        this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.keepAlive = keepAlive;
        this.end = end.getBytes(US_ASCII);
    }

    /** Sends requests for this time, and waits for the responses. Returns the responses per second. */
    double run(Duration time) throws IOException {
        long start = System.nanoTime();
        deadline = start + time.toNanos();
        try (var selector = Selector.open()) {
            for (int i = 0; i < CONNECTIONS; i++) {
                connect(selector);
            }
            boolean answering = true;
            while (answering && open > 0) {
                answering = selector.select(key -> proceed(key, selector), PATIENCE.toMillis()) > 0;
            }
            failed += open;
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        }
        return answered / ((System.nanoTime() - start) / 1e9);
    }

    int failed() {
        return failed;
    }

    static String remark(int failed) {
        String failures = failed == 0 ? "" : ", %,d requests failed".formatted(failed);
        return "from this process, %d connections at a time".formatted(CONNECTIONS) + failures;
    }

    private void connect(Selector selector) {
        while (mayStart()) {
            try {
                LoadConnection.open(address, selector).request();
                open++;
                return;
            } catch (IOException e) {
                failed++;
            }
        }
    }

    private boolean mayStart() {
        return System.nanoTime() < deadline && started < MOST_REQUESTS && started++ >= 0;
    }

    private void proceed(SelectionKey key, Selector selector) {
        var connection = (LoadConnection) key.attachment();
        try {
            boolean ended = connection.receive();
            boolean complete = connection.hasReceived(end);
            if (complete && keepAlive && !ended) {
                answered++;
                if (mayStart()) {
                    connection.request();
                } else {
                    close(connection);
                }
            } else if (ended) {
                answered += complete ? 1 : 0;
                failed += complete ? 0 : 1;
                close(connection);
                connect(selector);
            }
        } catch (IOException e) {
            failed++;
            close(connection);
            connect(selector);
        }
    }

    private void close(LoadConnection connection) {
        open--;
        connection.close();
    }
}
