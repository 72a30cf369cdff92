package io.fibry.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The socket of a connection. It buffers its input, and records reads and writes in a {@link ConnectionActivity}.
 *
 * <p>A forwarder ties the target's socket to it, because a thread that waits for the target does not notice that the
 * client's socket has been closed. {@link #cut} and {@link #reset} then reset both. Neither can miss the other socket:
 * they close this one, then read {@code target}; {@link #tie} writes {@code target}, then checks whether this one is
 * closed. All are volatile accesses, so at least one thread sees the other's write.
 */
final class AcceptedSocket extends Socket {

    private static final Logger LOG = LoggerFactory.getLogger(TcpAcceptor.class);

    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LINGER_BYTES = 16 << 20;
    private static final int LINGER_BUFFER = 8 * 1024;

    private final ConnectionActivity activity;
    private final SocketInput input;
    private volatile boolean answered;
    private volatile @Nullable Socket target;
    private volatile @Nullable InetSocketAddress client; // as a proxy has reported

    AcceptedSocket(ConnectionActivity activity) throws SocketException {
        super((SocketImpl) null); // as in ServerSocket.accept: implAccept sets the implementation
        this.activity = activity;
        input = new SocketInput(activity);
    }

    ConnectionActivity activity() {
        return activity;
    }

    /** Resets the other socket too when this one is cut or reset. Throws if that has happened already. */
    void tie(Socket other) throws SocketException {
        target = other;
        if (isClosed()) {
            throw new SocketException("the client's connection has been closed");
        }
    }

    /**
     * Closes it. If it is forwarded, resets both sides: otherwise an incomplete answer could be mistaken for a complete
     * one.
     */
    void cut() throws IOException {
        if (target != null) {
            reset();
        } else {
            try {
                close();
            } finally {
                resetTarget();
            }
        }
    }

    void reset() throws IOException {
        try {
            Sockets.reset(this);
        } finally {
            resetTarget();
        }
    }

    /**
     * Ends the output, if it contains an answer and the input has not ended. With TLS, the handshake is an answer.
     *
     * @param connection this socket, or the one that encrypts it, which sends close_notify
     * @return true if the client may still send, so that {@link #discardInput} has to follow
     */
    boolean endOutput(Socket connection) throws IOException {
        if (isClosed() || !answered || input.hasEnded()) {
            return false;
        }
        if (!connection.isOutputShutdown()) { // the handler may have ended it
            connection.shutdownOutput();
        }
        return true;
    }

    /**
     * Reads and discards the client's input until its end, for a second and 16 MiB at most. A socket that is closed
     * while input is unread, or arrives later, is reset, and the client loses the part of the answer that it has not
     * read. Without an answer there is nothing to lose.
     */
    void discardInput() throws IOException {
        InputStream in = super.getInputStream();
        byte[] discarded = new byte[1]; // usually the first read returns the end
        long end = System.nanoTime() + LINGER_NANOS;
        long bytes = 0;
        for (int n = 0; n >= 0 && bytes < LINGER_BYTES; bytes += n) {
            long millis = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (millis <= 0) {
                return;
            }
            setSoTimeout((int) millis);
            n = in.read(discarded);
            if (n > 0 && discarded.length == 1) {
                discarded = new byte[LINGER_BUFFER];
            }
        }
    }

    /** Called by the output: something has been sent. */
    void hasAnswered() {
        answered = true;
    }

    private void resetTarget() throws IOException {
        Socket tied = target;
        if (tied != null) {
            Sockets.reset(tied);
        }
    }

    /**
     * Reads the header of a trusted proxy. From then on, the remote address is that of the client, and counts for its
     * limit.
     *
     * @return false, without an effect, if there are too many connections of the client
     */
    boolean readProxyHeader(OpenConnections connections) throws IOException {
        InetSocketAddress reported = ProxyHeader.read(getInputStream());
        if (reported != null && !connections.acquireAddress(reported.getAddress())) {
            return false;
        }
        client = reported;
        nothingToAnswer();
        return true;
    }

    /** The address of the client that a proxy has reported; null if there is none. */
    @Nullable
    InetAddress reportedClient() {
        InetSocketAddress reported = client;
        return reported == null ? null : reported.getAddress();
    }

    /**
     * Records that what has been read until now, a PROXY header or a TLS handshake, needs no answer. Bytes in the
     * buffer are data for the handler, which do. No data is buffered in the encrypted socket yet: it reads one record
     * at a time.
     */
    void nothingToAnswer() {
        if (!input.hasBuffered()) {
            activity.nothingToAnswer();
        }
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        InetSocketAddress reported = client;
        return reported == null ? super.getRemoteSocketAddress() : reported;
    }

    @Override
    public InetAddress getInetAddress() {
        InetSocketAddress reported = client;
        return reported == null ? super.getInetAddress() : reported.getAddress();
    }

    @Override
    public int getPort() {
        InetSocketAddress reported = client;
        return reported == null ? super.getPort() : reported.getPort();
    }

    @Override
    public InputStream getInputStream() throws IOException {
        input.attach(super.getInputStream());
        return input;
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        return new SocketOutput(super.getOutputStream(), this);
    }

    /**
     * Ends the input if the connection is idle and nothing is left to read: a waiting read and all later ones return
     * -1. Does not throw if the connection has ended, or if another thread ends the input at the same time.
     *
     * <p>The handler may still use the output. No other method of a socket wakes a thread from a read without closing
     * the output. Once the input has been shut down, Linux resets the connection if data arrives after the end of the
     * output, so {@link #discardInput} would not protect the answer.
     */
    void endInputIfIdle() {
        try {
            if (activity.isIdle(System.nanoTime())
                    && !isInputShutdown()
                    && super.getInputStream().available() == 0) {
                shutdownInput();
            }
        } catch (IOException e) {
            LOG.debug("The input of the connection of {} has ended already", getRemoteSocketAddress(), e);
        }
    }
}
