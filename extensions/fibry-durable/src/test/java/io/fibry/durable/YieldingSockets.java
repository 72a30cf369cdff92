package io.fibry.durable;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Creates sockets whose readers yield until there is data, instead of being parked. A {@code TestSystem} fails if a
 * thread is parked for a second for a reason that it does not control, and a server on a busy machine may take longer
 * for a reply. The driver of PostgreSQL creates an instance by its name.
 */
public final class YieldingSockets extends SocketFactory {

    /** The time after which a reader is parked: at the end of a stream, there is no data either. */
    private static final long MAX_WAIT = Duration.ofMinutes(1).toNanos();

    @Override
    public Socket createSocket() {
        return new Socket() {
            @Override
            public InputStream getInputStream() throws IOException {
                return new YieldingStream(super.getInputStream());
            }
        };
    }

    private static final class YieldingStream extends FilterInputStream {

        YieldingStream(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            awaitData();
            return super.read();
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            awaitData();
            return super.read(buffer, offset, length);
        }

        @SuppressWarnings("ThreadPriorityCheck") // a yield only leaves the carrier to other threads
        private void awaitData() throws IOException {
            long begin = System.nanoTime();
            while (available() == 0 && System.nanoTime() - begin < MAX_WAIT) {
                Thread.yield();
            }
        }
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
        return connected(new InetSocketAddress(host, port), new InetSocketAddress(local, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
        return connected(new InetSocketAddress(host, port), new InetSocketAddress(local, localPort));
    }

    /** @param local the local address; null for any */
    private Socket connected(InetSocketAddress remote, @Nullable InetSocketAddress local) throws IOException {
        Socket socket = createSocket();
        socket.bind(local);
        socket.connect(remote);
        return socket;
    }
}
