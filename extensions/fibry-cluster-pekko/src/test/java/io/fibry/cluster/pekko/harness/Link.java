package io.fibry.cluster.pekko.harness;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** One connection through the proxy: two sockets, and a thread for each direction. */
final class Link {

    private static final int BUFFER = 16 * 1024;

    private final Socket client;
    private final Socket server = new Socket();
    private final Gate gate;

    Link(Socket client, Gate gate) {
        this.client = client;
        this.gate = gate;
    }

    /** Connects to the node when the gate is open, and returns at the end of the connection. */
    void connect(InetSocketAddress target) {
        try {
            if (gate.enter(this)) {
                server.connect(target);
                Thread back = Thread.ofVirtual().start(() -> pump(server, client));
                pump(client, server);
                back.join();
            }
        } catch (IOException e) {
            close(); // the node does not listen: refuse the client as well
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close();
            gate.leave(this);
        }
    }

    private void pump(Socket from, Socket to) {
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
