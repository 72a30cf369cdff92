package io.fibry.net;

import io.fibry.sockets.Tls;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What an acceptor's connections have in common.
 *
 * @param idleNanos how long one may be without anything moving; 0 is no limit
 * @param readMillis how long a read may wait; 0 is no limit
 */
record ConnectionSettings(
        ConnectionHandler handler,
        @Nullable Tls tls,
        long handshakeNanos,
        long idleNanos,
        int readMillis,
        boolean noDelay) {

    static ConnectionSettings of(ConnectionHandler handler, TcpOptions options) {
        return new ConnectionSettings(
                handler,
                options.tls() == null ? null : new Tls(options.tls()),
                nanos(options.handshakeTimeout()),
                nanos(options.idleTimeout()),
                millis(options.readTimeout()),
                options.noDelay());
    }

    private static long nanos(@Nullable Duration timeout) {
        return timeout == null ? 0 : TimeUnit.NANOSECONDS.convert(timeout);
    }

    /** Rounded up: 0 would mean no limit. */
    private static int millis(@Nullable Duration timeout) {
        return timeout == null ? 0 : Math.clamp(TimeUnit.MILLISECONDS.convert(timeout), 1, Integer.MAX_VALUE);
    }

    /** Sets the options of a connection's socket. */
    void configure(Socket socket) throws IOException {
        if (noDelay) {
            socket.setTcpNoDelay(true);
        }
        if (readMillis > 0) {
            socket.setSoTimeout(readMillis);
        }
    }

    /** The shortest time after which a connection has to be looked at, also for that reason; 0 if never. */
    long shortestNanos(long other) {
        long handshake = tls == null ? 0 : handshakeNanos;
        return LongStream.of(handshake, idleNanos, other)
                .filter(nanos -> nanos > 0)
                .min()
                .orElse(0);
    }
}
