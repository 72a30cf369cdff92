package io.fibry.cluster;

import java.util.Objects;

/**
 * A node of a cluster, as another node or itself sees it.
 *
 * @param host the host name or address that the other nodes use
 * @param port its port
 * @param id differs between two starts of a node with the same host and port
 * @param state what this node knows of it
 */
public record Member(String host, int port, long id, State state) {

    /** The states of a member. */
    public enum State {
        /** It has begun to join. */
        JOINING,
        /** It is a part of the cluster, and can be reached. */
        UP,
        /** It is a part of the cluster, but this node or another one cannot reach it now. */
        UNREACHABLE,
        /** It leaves, and hands its entities over. */
        LEAVING,
        /** The cluster has given it up, since it could not be reached. */
        DOWN
    }

    /** Checks that nothing is null. */
    public Member {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(state, "state");
    }

    /** Host and port, as in {@link ClusterConfig#seeds}. */
    public String address() {
        return host.indexOf(':') < 0 ? host + ":" + port : "[" + host + "]:" + port;
    }
}
