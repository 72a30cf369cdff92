package io.fibry.net;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A connection of a {@link LineServer}. Only the handler's thread may read lines; any thread may write them. */
public final class LineConnection {

    private final int maxLineLength;
    private final InputStream in;
    private final OutputStream out;
    private final SocketAddress client;
    private final ReentrantLock writing = new ReentrantLock();
    private boolean tooLong;

    LineConnection(Socket socket, int maxLineLength) throws IOException {
        this.maxLineLength = maxLineLength;
        in = socket.getInputStream();
        out = socket.getOutputStream();
        client = socket.getRemoteSocketAddress();
    }

    /**
     * Waits for the next line. A line ends with LF or with CR LF, and is decoded as UTF-8.
     *
     * @return the line without its line end, or null at the end of the input
     * @throws ProtocolException if the line is too long, and on later calls: the rest of the line is not read. The handler
     *     may still write an answer. If it rethrows the exception, the connection is closed
     * @throws EOFException if the input ends within a line; the incomplete line is discarded
     * @throws IOException if the connection breaks
     */
    public @Nullable String read() throws IOException {
        var line = new ByteArrayOutputStream();
        int c = in.read();
        if (c < 0) {
            return null;
        }
        while (c != '\n') {
            if (c < 0) {
                throw new EOFException("the client ended the connection within a line");
            }
            line.write(c);
            check(line.size() - 1); // the last byte may be a CR
            c = in.read();
        }
        String text = line.toString(UTF_8);
        boolean withCr = text.endsWith("\r");
        check(line.size() - (withCr ? 1 : 0));
        return withCr ? text.substring(0, text.length() - 1) : text;
    }

    private void check(int length) throws ProtocolException {
        tooLong |= length > maxLineLength;
        if (tooLong) {
            throw new ProtocolException("the client sent a line longer than " + maxLineLength + " bytes");
        }
    }

    /**
     * Sends a line, encoded as UTF-8 and ended with LF. Blocks while the client does not read. Lines of several threads are not
     * mixed.
     *
     * @throws IllegalArgumentException if the text contains CR or LF, since it would be several lines
     * @throws IOException if the connection is broken or closed
     */
    public void write(String line) throws IOException {
        if (line.indexOf('\n') >= 0 || line.indexOf('\r') >= 0) {
            throw new IllegalArgumentException("a line must not contain CR or LF; write each line by itself");
        }
        byte[] bytes = (line + "\n").getBytes(UTF_8);
        writing.lock();
        try {
            out.write(bytes);
        } finally {
            writing.unlock();
        }
    }

    /** The client's address. */
    public SocketAddress client() {
        return client;
    }
}
