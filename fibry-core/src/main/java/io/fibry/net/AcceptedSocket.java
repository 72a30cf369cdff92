package io.fibry.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketImpl;

/** The socket of a connection. It buffers its input, and records reads and writes in a {@link ConnectionActivity}. */
final class AcceptedSocket extends Socket {

    private final ConnectionActivity activity;
    private final SocketInput input;

    AcceptedSocket(ConnectionActivity activity) throws SocketException {
        super((SocketImpl) null); // as in ServerSocket.accept: implAccept sets the implementation
        this.activity = activity;
        input = new SocketInput(activity);
    }

    ConnectionActivity activity() {
        return activity;
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

    /** Ends the input if the connection is idle and nothing is left to read: a waiting read and all later ones return -1. */
    void endInputIfIdle() throws IOException {
        if (activity.isIdle(System.nanoTime())
                && !isInputShutdown()
                && super.getInputStream().available() == 0) {
            shutdownInput();
        }
    }
}
