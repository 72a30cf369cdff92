package io.fibry.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A TCP client that fails instead of waiting indefinitely. */
public final class Client implements AutoCloseable {

    private final Socket socket;

    public Client(int port) throws IOException {
        this(port, Duration.ofSeconds(30));
    }

    /** A client that waits at most this long for an answer. */
    public Client(int port, Duration patience) throws IOException {
        this(new Socket(InetAddress.getLoopbackAddress(), port), patience);
    }

    private Client(Socket socket, Duration patience) throws IOException {
        this.socket = socket;
        socket.setSoTimeout((int) patience.toMillis());
    }

    /** A client with another address of this machine, such as 127.0.0.2, which Linux has too. */
    public static Client from(String address, int port) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName(address), 0);
        return new Client(socket, Duration.ofSeconds(30));
    }

    /** Whether a server resets each new client; the reset may be so fast that the connect itself fails. */
    public static boolean isRefused(int port) throws IOException {
        try (var client = new Client(port)) {
            client.receiveAll();
            return false;
        } catch (ConnectException nobodyListens) {
            throw nobodyListens;
        } catch (SocketException reset) {
            return true;
        }
    }

    public Client send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.UTF_8));
    }

    public Client send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** Signals the end of the output. */
    public Client end() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    /** Everything up to the end. */
    public String receiveAll() throws IOException {
        return new String(receiveAllBytes(), StandardCharsets.UTF_8);
    }

    /**
     * Everything up to the end. Fails with a {@link SocketTimeoutException} if the end does not come within this time,
     * also if bytes arrive until then, as in a stream of events.
     */
    public String receiveAll(Duration limit) throws IOException {
        var all = new ByteArrayOutputStream();
        byte[] part = new byte[8192];
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                throw new SocketTimeoutException("the stream has not ended after " + limit);
            }
            socket.setSoTimeout((int) left);
            int count = socket.getInputStream().read(part);
            if (count < 0) {
                return all.toString(StandardCharsets.UTF_8);
            }
            all.write(part, 0, count);
        }
    }

    public byte[] receiveAllBytes() throws IOException {
        return socket.getInputStream().readAllBytes();
    }

    public String receive(int bytes) throws IOException {
        return new String(socket.getInputStream().readNBytes(bytes), StandardCharsets.UTF_8);
    }

    /** Reads everything up to the end, and returns the number of bytes. */
    public long skipAll() throws IOException {
        return socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    }

    /** Ends the connection in a way that is an error for the other side. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
