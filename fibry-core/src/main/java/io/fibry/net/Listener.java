package io.fibry.net;

import io.fibry.sockets.Ports;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** A listen socket whose connections are {@link AcceptedSocket}s. */
class Listener extends ServerSocket {

    private final ConnectionActivity.Drain drain;
    private final boolean timed;

    /**
     * Opens a socket that listens. If that fails, throws {@link java.io.UncheckedIOException} with a message for the
     * user.
     */
    @SuppressWarnings("resource") // closed here if it cannot listen, otherwise by the caller
    static Listener open(InetSocketAddress address, TcpOptions options, ConnectionActivity.Drain drain) {
        try {
            var listener = new Listener(drain, options.idleTimeout() != null || drain.quietNanos() > 0);
            boolean listens = false;
            try {
                listener.setReuseAddress(options.reuseAddress());
                listener.bind(address, options.backlog());
                listens = true;
                return listener;
            } finally {
                if (!listens) {
                    listener.close();
                }
            }
        } catch (IOException e) {
            throw Ports.cannotListen(address, e);
        }
    }

    Listener(ConnectionActivity.Drain drain, boolean timed) throws IOException {
        super();
        this.drain = drain;
        this.timed = timed;
    }

    @Override
    public AcceptedSocket accept() throws IOException {
        var connection = new AcceptedSocket(new ConnectionActivity(drain, timed));
        implAccept(connection);
        return connection;
    }
}
