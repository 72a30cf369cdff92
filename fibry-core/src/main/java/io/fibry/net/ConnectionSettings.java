package io.fibry.net;

import io.fibry.sockets.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The settings that all connections of an acceptor share.
 *
 * @param idleNanos the idle timeout; 0 for none
 * @param readMillis the read timeout; 0 for none
 */
record ConnectionSettings(
        ServerHandler handler,
        @Nullable Tls tls,
        @Nullable Predicate<? super InetAddress> proxies,
        long handshakeNanos,
        long idleNanos,
        int readMillis,
        boolean noDelay,
        boolean keepAlive) {

    static ConnectionSettings of(ServerHandler handler, TcpOptions options) {
        return new ConnectionSettings(
                handler,
                options.tls() == null ? null : new Tls(options.tls(), options.tlsParameters()),
                options.trustedProxies(),
                nanos(options.handshakeTimeout()),
                nanos(options.idleTimeout()),
                millis(options.readTimeout()),
                options.noDelay(),
                options.keepAlive());
    }

    private static long nanos(@Nullable Duration timeout) {
        return timeout == null ? 0 : TimeUnit.NANOSECONDS.convert(timeout);
    }

    /** At least 1 for a timeout, since 0 means none. */
    private static int millis(@Nullable Duration timeout) {
        return timeout == null ? 0 : Math.clamp(TimeUnit.MILLISECONDS.convert(timeout), 1, Integer.MAX_VALUE);
    }

    /** Whether connections from this address begin with a header of the PROXY protocol. */
    boolean isProxy(InetAddress address) {
        return proxies != null && proxies.test(address);
    }

    /** Sets the socket options of a connection. */
    void configure(Socket socket) throws IOException {
        if (noDelay) {
            socket.setTcpNoDelay(true);
        }
        if (keepAlive) {
            socket.setKeepAlive(true);
        }
        if (readMillis > 0) {
            socket.setSoTimeout(readMillis);
        }
    }

    /**
     * The shortest of the idle timeout, the handshake timeout if there is a handshake, and the given time; 0 if all
     * are 0.
     */
    long shortestNanos(long other) {
        long handshake = tls == null && proxies == null ? 0 : handshakeNanos;
        return LongStream.of(handshake, idleNanos, other)
                .filter(nanos -> nanos > 0)
                .min()
                .orElse(0);
    }
}
