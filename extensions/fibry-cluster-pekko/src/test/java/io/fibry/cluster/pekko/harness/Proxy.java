package io.fibry.cluster.pekko.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The network between nodes, in this process. Every node listens behind a port of this proxy, which can disconnect any
 * pair of live nodes. The proxy identifies a client by its address: every node has its own loopback address, and
 * connects from it.
 */
public final class Proxy implements AutoCloseable {

    /** The treatment of bytes between two nodes. */
    public enum State {
        /** Bytes pass. */
        OPEN,
        /** Bytes are held, and connections stay open, like after the loss of a cable. */
        HELD,
        /** Existing and new connections are closed, like by a firewall. */
        CUT,
        /** Bytes pass late, and few at a time. */
        SLOW
    }

    /** The gates by the addresses of the sending and the receiving node. */
    private final Map<String, Gate> gates = new ConcurrentHashMap<>();

    private final Set<ServerSocket> listeners = ConcurrentHashMap.newKeySet();

    /**
     * Accepts connections for a node.
     *
     * @param host the address of the node and of its proxy port
     * @param port the port for other nodes
     * @param target the port on which the node listens
     */
    public void listen(String host, int port, int target) throws IOException {
        var listener = new ServerSocket();
        listener.setReuseAddress(true);
        listener.bind(new InetSocketAddress(host, port));
        listeners.add(listener);
        Thread.ofVirtual().name("proxy of " + host).start(() -> accept(listener, new InetSocketAddress(host, target)));
    }

    private void accept(ServerSocket listener, InetSocketAddress target) {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                Gate forth = gate(socket.getInetAddress(), target.getAddress());
                Gate back = gate(target.getAddress(), socket.getInetAddress());
                Thread.ofVirtual()
                        .name("proxy to " + target)
                        .start(() -> new Link(socket, forth, back).connect(target));
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private Gate gate(InetAddress from, InetAddress to) {
        return gates.computeIfAbsent(from.getHostAddress() + " " + to.getHostAddress(), pair -> new Gate());
    }

    /** Sets the state between two nodes, in both directions. */
    public void set(String one, String other, State state) {
        setOneWay(one, other, state);
        setOneWay(other, one, state);
    }

    /** Sets the state of the bytes that one node sends to another. */
    public void setOneWay(String from, String to, State state) {
        gate(Ports.address(from), Ports.address(to)).set(state);
    }

    /** Opens all gates. */
    public void openAll() {
        gates.values().forEach(gate -> gate.set(State.OPEN));
    }

    /** Returns the number of bytes between these nodes so far, in both directions. */
    public long bytes(String one, String other) {
        return gate(Ports.address(one), Ports.address(other)).bytes()
                + gate(Ports.address(other), Ports.address(one)).bytes();
    }

    @Override
    public void close() throws IOException {
        for (ServerSocket listener : listeners) {
            listener.close();
        }
        gates.values().forEach(gate -> gate.set(State.CUT));
    }
}
