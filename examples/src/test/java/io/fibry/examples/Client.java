package io.fibry.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;

/** A TCP client on this machine whose waits have a timeout. */
final class Client implements AutoCloseable {

    private final Socket socket;
    private final BufferedReader in;

    Client(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(60_000);
        in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    }

    void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(UTF_8));
    }

    String line() throws IOException {
        return in.readLine();
    }

    /** Returns the remaining input up to its end. */
    String rest() throws IOException {
        var rest = new StringBuilder();
        for (int c = in.read(); c >= 0; c = in.read()) {
            rest.append((char) c);
        }
        return rest.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
