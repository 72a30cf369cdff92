package io.fibry.bench.latency;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A loopback connection to a virtual thread that returns each byte. Not thread-safe. */
final class Echo implements AutoCloseable {

    private final Socket client;

    Echo() throws IOException {
        try (var listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            client = new Socket(listening.getInetAddress(), listening.getLocalPort());
            Socket served = listening.accept();
            Thread.ofVirtual().name("echo").start(() -> serve(served));
        }
        client.setTcpNoDelay(true);
    }

    private static void serve(Socket connection) {
        try (connection) {
            connection.setTcpNoDelay(true);
            var in = connection.getInputStream();
            for (int c = in.read(); c >= 0; c = in.read()) {
                connection.getOutputStream().write(c);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a byte, and waits for its return. */
    void call() {
        try {
            client.getOutputStream().write('x');
            if (client.getInputStream().read() != 'x') {
                throw new IOException("the byte did not come back");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
