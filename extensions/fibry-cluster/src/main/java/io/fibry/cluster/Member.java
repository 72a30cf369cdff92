package io.fibry.cluster;

import java.util.Objects;

/**
 * A node of a cluster, as seen by a node.
 *
 * @param host the host name or address that the other nodes use
 * @param port its port
 * @param id distinguishes two starts of a node with the same host and port
 * @param state its state as seen by this node
 */
public record Member(String host, int port, long id, State state) {

    /** The states of a member. */
    public enum State {
        /** It is joining. */
        JOINING,
        /** It is a reachable member. */
        UP,
        /** It is a member, but is currently unreachable from this node or another one. */
        UNREACHABLE,
        /** It is leaving and hands its entities over. */
        LEAVING,
        /** It was unreachable and is being removed. */
        DOWN
    }

    /** Creates a member. */
    public Member {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(state, "state");
    }

    /** Returns host and port, as in {@link Discovery}. */
    public String address() {
        return NodeAddress.host(host) + ":" + port;
    }
}
