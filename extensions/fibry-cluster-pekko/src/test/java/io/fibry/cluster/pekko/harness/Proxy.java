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
 * The network between nodes, in this process: every node listens behind a port of this proxy, so that any pair of them can be cut off
 * from each other while all live. It tells who connects by the address: every node has a loopback address of its own, and connects from
 * it.
 */
public final class Proxy implements AutoCloseable {

    /** What happens to the bytes between two nodes. */
    public enum State {
        /** They go on. */
        OPEN,
        /** They stay where they are, and connections stay open: as when a cable is pulled. */
        HELD,
        /** Connections are closed, and new ones too: as when a firewall rejects them. */
        CUT
    }

    /** The gates by the addresses of both nodes, the less first. */
    private final Map<String, Gate> gates = new ConcurrentHashMap<>();

    private final Set<ServerSocket> listeners = ConcurrentHashMap.newKeySet();

    /**
     * Accepts connections for a node.
     *
     * @param host the address of the node, for both
     * @param port where the others find it
     * @param target the port where it listens
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
                Gate gate = gate(socket.getInetAddress(), target.getAddress());
                Thread.ofVirtual().name("proxy to " + target).start(() -> new Link(socket, gate).connect(target));
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private Gate gate(InetAddress one, InetAddress other) {
        String a = one.getHostAddress();
        String b = other.getHostAddress();
        return gates.computeIfAbsent(a.compareTo(b) < 0 ? a + " " + b : b + " " + a, pair -> new Gate());
    }

    /** Sets what happens between two nodes from now on, in both directions. */
    public void set(String one, String other, State state) {
        gate(Ports.address(one), Ports.address(other)).set(state);
    }

    /** Opens all that was held or cut. */
    public void openAll() {
        gates.values().forEach(gate -> gate.set(State.OPEN));
    }

    /** The bytes that have gone through from one of these nodes to the other, in both directions. */
    public long bytes(String one, String other) {
        return gate(Ports.address(one), Ports.address(other)).bytes();
    }

    @Override
    public void close() throws IOException {
        for (ServerSocket listener : listeners) {
            listener.close();
        }
        gates.values().forEach(gate -> gate.set(State.CUT));
    }
}
