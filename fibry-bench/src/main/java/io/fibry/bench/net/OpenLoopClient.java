package io.fibry.bench.net;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Sends HTTP requests at fixed times, regardless of the progress of earlier requests, on 64 connections in turn, and
 * prints the latencies from the due times to the answers. A connection has one request at a time; other requests wait
 * in this program, and their wait counts. A single thread wakes up about 10,000 times per second, which leaves the
 * processors to the server.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=net.OpenLoopClient
 * -Dargs="http://127.0.0.1:8080/ 8000 10"}. The arguments are the address, the requests per second, and the seconds.
 */
final class OpenLoopClient {

    private static final int CONNECTIONS = 64;
    private static final long NAP_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final byte[] REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII);
    private static final byte[] END = Servers.PAGE.getBytes(US_ASCII);

    private final Histogram nanos = new Histogram(TimeUnit.MINUTES.toNanos(10), 3);
    private final Selector selector = Selector.open();
    private final List<Connection> connections = new ArrayList<>();
    private long answered;
    private long failed;

    private OpenLoopClient(InetSocketAddress server) throws IOException {
        for (int i = 0; i < CONNECTIONS; i++) {
            connections.add(new Connection(server));
        }
    }

    public static void main(String[] args) throws IOException {
        URI url = URI.create(args[0]);
        var client = new OpenLoopClient(new InetSocketAddress(url.getHost(), url.getPort()));
        client.run(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        client.print();
    }

    private void run(int rate, int seconds) throws IOException {
        long count = (long) rate * seconds;
        long between = TimeUnit.SECONDS.toNanos(1) / rate;
        long start = System.nanoTime();
        long sent = 0;
        while (answered + failed < count && System.nanoTime() - start < count * between + PATIENCE_NANOS) {
            for (; sent < count && System.nanoTime() - start >= sent * between; sent++) {
                connections.get((int) (sent % CONNECTIONS)).offer(start + sent * between);
            }
            if (selector.selectNow(key -> ((Connection) key.attachment()).receive()) == 0) {
                LockSupport.parkNanos(NAP_NANOS);
            }
        }
        failed = count - answered;
    }

    private void print() {
        for (double percent : new double[] {50, 99, 99.9, 100}) {
            System.out.printf(Locale.ROOT, "p%s = %.1f us%n", percent, nanos.getValueAtPercentile(percent) / 1e3);
        }
        System.out.println("failed = " + failed);
    }

    private final class Connection {
        private final SocketChannel channel;
        private final ArrayDeque<Long> due =
                new ArrayDeque<>(); // due times of unanswered requests; the first has been sent
        private final ByteBuffer answer = ByteBuffer.allocate(4096);

        Connection(InetSocketAddress server) throws IOException {
            channel = SocketChannel.open(server);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, this);
        }

        void offer(long when) throws IOException {
            due.add(when);
            if (due.size() == 1) {
                send();
            }
        }

        private void send() throws IOException {
            if (channel.write(ByteBuffer.wrap(REQUEST)) < REQUEST.length) {
                throw new IOException("the connection does not accept a request");
            }
        }

        void receive() {
            try {
                if (channel.read(answer) < 0) {
                    throw new IOException("the server has closed a connection");
                }
                if (isComplete()) {
                    answer.clear();
                    nanos.recordValue(System.nanoTime() - due.remove());
                    answered++;
                    if (!due.isEmpty()) {
                        send();
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private boolean isComplete() {
            int from = answer.position() - END.length;
            return from >= 0 && answer.slice(from, END.length).equals(ByteBuffer.wrap(END));
        }
    }
}
