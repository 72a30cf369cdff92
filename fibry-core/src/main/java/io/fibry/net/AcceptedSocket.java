package io.fibry.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketImpl;

/** The socket of a connection: with a buffered input, and with an eye on what moves. */
final class AcceptedSocket extends Socket {

    private final ConnectionActivity activity;
    private final SocketInput input;

    AcceptedSocket(ConnectionActivity activity) throws SocketException {
        super((SocketImpl) null); // as ServerSocket does it: the accept supplies the implementation
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

    /** Has a read that waits, and every later one, find the end of the input, if there is nothing to read. */
    void endInputIfIdle() throws IOException {
        if (activity.isIdle(System.nanoTime())
                && !isInputShutdown()
                && super.getInputStream().available() == 0) {
            shutdownInput();
        }
    }
}
