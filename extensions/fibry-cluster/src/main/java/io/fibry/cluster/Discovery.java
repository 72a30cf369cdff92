package io.fibry.cluster;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import javax.sql.DataSource;

/**
 * The way in which the nodes of a cluster find each other, and the rule by which they form the cluster if there is
 * none. All nodes need the same discovery. Each of the static methods returns an instance for
 * {@link ClusterOptions#of(String, String, int, Discovery)}.
 *
 * {@snippet class = "ClusterSnippets" region = "discovery"}
 *
 * <p>Addresses have the form {@code host:port}, with the same host that {@link ClusterOptions#host} of the node has.
 */
public sealed interface Discovery {

    /**
     * A fixed list of nodes. A majority of them forms the cluster.
     *
     * @param nodes the addresses; without duplicates
     */
    record Seeds(List<String> nodes) implements Discovery {

        /** @throws IllegalArgumentException if the list is empty, or an address is not valid */
        public Seeds {
            if (nodes.isEmpty()) {
                throw new IllegalArgumentException("at least one seed is necessary, such as \"10.0.0.1:7001\"");
            }
            nodes = nodes.stream().map(NodeAddress::canonical).distinct().toList();
        }
    }

    /**
     * Nodes that a function returns. A majority of the expected number forms the cluster.
     *
     * @param nodes returns the addresses of the nodes that exist at present. Every node calls it about once a second,
     *     on a thread that may block. If it throws an exception, the previous addresses remain in use
     * @param expected the number of nodes that are started at first
     */
    record Lookup(Callable<? extends Collection<String>> nodes, int expected) implements Discovery {

        /** @throws IllegalArgumentException if the expected number is not positive */
        public Lookup {
            Objects.requireNonNull(nodes, "nodes");
            if (expected < 1) {
                throw new IllegalArgumentException("the expected number of nodes must be positive, not " + expected);
            }
        }

        /**
         * Calls the function, and returns its addresses in the form that nodes use.
         *
         * @throws IllegalArgumentException if an address is not valid
         * @throws Exception if the function throws it
         */
        public List<String> find() throws Exception {
            return nodes.call().stream().map(NodeAddress::canonical).toList();
        }
    }

    /**
     * A table in a database.
     *
     * @param dataSource the connections
     */
    record Database(DataSource dataSource) implements Discovery {

        /** Creates an instance. */
        public Database {
            Objects.requireNonNull(dataSource, "dataSource");
        }
    }

    /**
     * Returns a fixed list of nodes. A majority of them forms the cluster, so two clusters can exist only if one of
     * these nodes restarts while the network is partitioned.
     *
     * @param nodes the addresses, in any order; three, or one in a cluster of one node
     * @throws IllegalArgumentException if there is no address, or one is not valid
     */
    static Discovery seeds(String... nodes) {
        return new Seeds(List.of(nodes));
    }

    /**
     * Looks up all addresses of a host name in the DNS, such as the name of a headless service of Kubernetes. A
     * majority of the expected number of nodes forms the cluster. The host of each node must be the address that the
     * DNS returns for it. The JVM caches lookups for 30 seconds, unless {@code networkaddress.cache.ttl} is less.
     *
     * <p>If nodes are started while the network is partitioned, two clusters can be formed. When they meet, the younger
     * one stops.
     *
     * @param host the host name
     * @param port the port of all nodes
     * @param expected the number of nodes that are started at first
     * @throws IllegalArgumentException if the port or the expected number is not valid
     */
    static Discovery dns(String host, int port, int expected) {
        String unused = NodeAddress.canonical(host + ":" + port);
        return lookup(
                () -> Arrays.stream(InetAddress.getAllByName(host))
                        .map(address -> NodeAddress.of(address, port))
                        .toList(),
                expected);
    }

    /**
     * Looks up the running pods with these labels in the own namespace, by the API of Kubernetes. The host of each node
     * must be the IP address of its pod. The service account of the pods needs a role with the verb {@code list} for
     * {@code pods}. As for {@link #dns}, a majority of the expected number forms the cluster. In contrast to a
     * headless service, it needs no DNS, and finds new pods at once.
     *
     * @param labels a label selector, such as {@code app=counters}
     * @param port the port of all nodes
     * @param expected the number of nodes that are started at first
     * @throws IllegalStateException if this program does not run in a pod
     * @throws IllegalArgumentException if the port or the expected number is not valid
     */
    static Discovery kubernetes(String labels, int port, int expected) {
        NodeAddress.checkPort("port", port);
        return lookup(KubernetesPods.of(System.getenv(), KubernetesPods.ACCOUNT, labels, port), expected);
    }

    /**
     * Finds nodes by a function, for instance by the API of a cloud provider. As for {@link #dns}, a majority of the
     * expected number of nodes forms the cluster.
     *
     * @throws IllegalArgumentException if the expected number is not positive
     */
    static Discovery lookup(Callable<? extends Collection<String>> nodes, int expected) {
        return new Lookup(nodes, expected);
    }

    /**
     * Finds nodes by a table in a database, {@code fibry_node}, which is created if it does not exist. Tested with
     * PostgreSQL and H2. No addresses need to be known in advance.
     *
     * <p>One row of the table is the claim of the cluster. Its members renew it every second. Another node forms a
     * cluster only if it has read the table for 3 seconds without a claim, or for 10 seconds without a renewal. Two
     * clusters can be formed only if no member of the first one reaches the database for that time, and the new node
     * reaches no member. They meet in the table, and the younger one stops.
     *
     * <p>A running cluster does not need the database; new nodes may be unable to join without it. Set the driver's
     * network timeout, such as {@code socketTimeout} of PostgreSQL.
     */
    static Discovery database(DataSource dataSource) {
        return new Database(dataSource);
    }
}
