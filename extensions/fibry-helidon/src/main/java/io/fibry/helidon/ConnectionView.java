package io.fibry.helidon;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import io.helidon.webserver.spi.ServerConnection;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/** A connection as a protocol of Helidon sees it: with an input of ours, and a way to end it. */
final class ConnectionView implements ConnectionContext {

    private final ConnectionContext connection;
    private final DataReader in;
    private final ListenerContext listener;
    private @Nullable ServerConnection served; // set before its thread begins

    ConnectionView(ConnectionContext connection, DataReader in, ListenerContext listener) {
        this.connection = connection;
        this.in = in;
        this.listener = listener;
    }

    void serves(ServerConnection protocol) {
        served = protocol;
    }

    /**
     * Ends the connection when the response has been sent. Called by the thread of the connection, which Helidon
     * interrupts if it has not read the first line of a request, and whose write an interrupt would end.
     */
    void endAfterRequest() {
        ServerConnection protocol = served;
        if (protocol != null) {
            protocol.close(false);
            Thread.interrupted();
        }
    }

    @Override
    public DataReader dataReader() {
        return in;
    }

    @Override
    public ListenerContext listenerContext() {
        return listener;
    }

    @Override
    public ExecutorService executor() {
        return connection.executor();
    }

    @Override
    public DataWriter dataWriter() {
        return connection.dataWriter();
    }

    @Override
    public Router router() {
        return connection.router();
    }

    @Override
    public Optional<ProxyProtocolData> proxyProtocolData() {
        return connection.proxyProtocolData();
    }

    @Override
    public HelidonSocket serverSocket() {
        return connection.serverSocket();
    }

    @Override
    public PeerInfo remotePeer() {
        return connection.remotePeer();
    }

    @Override
    public PeerInfo localPeer() {
        return connection.localPeer();
    }

    @Override
    public boolean isSecure() {
        return connection.isSecure();
    }

    @Override
    public String socketId() {
        return connection.socketId();
    }

    @Override
    public String childSocketId() {
        return connection.childSocketId();
    }
}
