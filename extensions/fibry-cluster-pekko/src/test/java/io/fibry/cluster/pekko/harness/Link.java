package io.fibry.cluster.pekko.harness;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** One connection through the proxy: two sockets, and a thread for each direction. */
final class Link {

    private static final int BUFFER = 16 * 1024;

    private final Socket client;
    private final Socket server = new Socket();
    private final Gate forth;
    private final Gate back;

    /**
     * @param forth for the bytes from the client to the node
     * @param back for the bytes from the node to the client
     */
    Link(Socket client, Gate forth, Gate back) {
        this.client = client;
        this.forth = forth;
        this.back = back;
    }

    /** Connects to the node when both gates are open, and returns at the end of the connection. */
    void connect(InetSocketAddress target) {
        try {
            if (forth.enter(this) && back.enter(this)) {
                server.connect(target);
                Thread backward = Thread.ofVirtual().start(() -> pump(server, client, back));
                pump(client, server, forth);
                backward.join();
            }
        } catch (IOException e) {
            close(); // the node does not listen: refuse the client as well
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close();
            forth.leave(this);
            back.leave(this);
        }
    }

    private void pump(Socket from, Socket to, Gate gate) {
        byte[] buffer = new byte[BUFFER];
        try {
            var in = from.getInputStream();
            var out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (!gate.awaitOpen()) {
                    close();
                    return;
                }
                gate.count(read);
                out.write(buffer, 0, read);
            }
            to.shutdownOutput();
        } catch (IOException e) {
            close(); // propagates the close of one side to the other
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void close() {
        close(client);
        close(server);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException("a socket cannot be closed", e);
        }
    }
}
