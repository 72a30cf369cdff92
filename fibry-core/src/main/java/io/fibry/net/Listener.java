package io.fibry.net;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketImpl;

/** A listen socket whose connections have a buffered input. */
final class Listener extends ServerSocket {

    /** A socket that listens. Throws {@link java.io.UncheckedIOException} if it cannot, with a message for the user. */
    @SuppressWarnings("resource") // closed here if it does not listen, else by the caller
    static Listener open(int port, TcpOptions options) {
        InetSocketAddress address = Ports.address(options.bindAddress(), port);
        try {
            var listener = new Listener();
            boolean listens = false;
            try {
                listener.setReuseAddress(true); // or a restarted server would wait for old connections to time out
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

    private Listener() throws IOException {
        super();
    }

    @Override
    public Socket accept() throws IOException {
        var connection = new Connected();
        implAccept(connection);
        return connection;
    }

    private static final class Connected extends Socket {

        private final SocketInput input = new SocketInput();

        Connected() throws SocketException {
            super((SocketImpl) null); // as ServerSocket does it: the accept supplies the implementation
        }

        @Override
        public InputStream getInputStream() throws IOException {
            input.attach(super.getInputStream());
            return input;
        }
    }
}
