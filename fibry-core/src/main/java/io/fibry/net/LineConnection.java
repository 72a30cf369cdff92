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

    private static final int STILL_HANDLED = 4096;
    private static final int MAX_READS_AT_END = 1000;

    private final int maxLineBytes;
    private final ConnectionActivity activity;
    private final InputStream in;
    private final OutputStream out;
    private final SocketAddress client;
    private final ReentrantLock writing = new ReentrantLock();

    private @Nullable ByteArrayOutputStream begun; // the line that a timeout has interrupted; null between two lines
    private boolean tooLong;
    private boolean ending; // a stop has been seen between two lines
    private int left; // from then on: how many bytes that had arrived before the stop are still handled
    private int readsAtEnd;

    LineConnection(Socket socket, int maxLineBytes, ConnectionActivity activity) throws IOException {
        this.maxLineBytes = maxLineBytes;
        this.activity = activity;
        in = socket.getInputStream();
        out = socket.getOutputStream();
        client = socket.getRemoteSocketAddress();
        activity.useMessages();
    }

    /**
     * Waits for the next line. A line ends with LF or with CR LF, and is decoded as UTF-8.
     *
     * <p>If a read timeout is set and expires, this method throws {@link java.net.SocketTimeoutException}. The part of
     * the line that has arrived is kept, and a later call returns the whole line.
     *
     * <p>A stop of the server ends the input between two lines: this method then returns null, after at most 4 KiB of
     * lines that had arrived before.
     *
     * @return the line without its line end, or null at the end of the input
     * @throws ProtocolException if the line is too long, and on each later call. The handler may still write an answer.
     *     If it rethrows the exception, the connection is closed
     * @throws EOFException if the input ends within a line; the incomplete line is discarded
     * @throws IOException if the connection breaks
     */
    public @Nullable String read() throws IOException {
        ByteArrayOutputStream line = begun;
        int c;
        if (line == null) {
            c = endsHere() ? -1 : in.read();
            if (c < 0) {
                return null;
            }
            activity.beginMessage();
            line = new ByteArrayOutputStream();
            begun = line; // before the next read, which may time out
        } else {
            c = in.read();
        }
        for (; c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the client ended the connection within a line");
            }
            line.write(c);
            check(line.size() - 1); // the last byte may be a CR
        }
        begun = null;
        left -= line.size() + 1;
        return withoutCr(line);
    }

    private String withoutCr(ByteArrayOutputStream line) throws ProtocolException {
        String text = line.toString(UTF_8);
        boolean withCr = text.endsWith("\r");
        check(line.size() - (withCr ? 1 : 0));
        return withCr ? text.substring(0, text.length() - 1) : text;
    }

    /**
     * Whether a stop ends the input here, between two lines. If not, records that the handler waits for a line; then a
     * later stop ends the wait (see {@link ConnectionActivity#beginRead}). No stop is missed, whether it comes before
     * or after the record.
     */
    private boolean endsHere() throws IOException {
        if (!activity.isDraining()) {
            activity.nothingToAnswer();
            return false;
        }
        if (!ending) {
            ending = true;
            left = Math.min(in.available(), STILL_HANDLED);
        }
        if (left > 0) {
            return false;
        }
        if (++readsAtEnd > MAX_READS_AT_END) {
            throw new EOFException("the handler keeps reading after the end of the input");
        }
        return true;
    }

    private void check(int length) throws ProtocolException {
        tooLong |= length > maxLineBytes;
        if (tooLong) {
            throw new ProtocolException("the client sent a line longer than " + maxLineBytes + " bytes");
        }
    }

    /**
     * Sends a line, encoded as UTF-8 and ended with LF. Blocks while the client does not read. Lines of several threads
     * are not mixed.
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

    /** Returns the client's address. */
    public SocketAddress client() {
        return client;
    }
}
