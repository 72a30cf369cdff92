package io.fibry.cluster.pekko;

import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.Discovery;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.Address;
import org.jspecify.annotations.Nullable;

/**
 * The nodes to contact, and the rule by which they form a cluster. Except where noted, only the {@link SeedActor} calls
 * these methods.
 */
interface Formation {

    /**
     * Returns the formation for the discovery of a node.
     *
     * @param confirmed returns whether a majority has recently confirmed that this node is a member
     */
    static Formation of(ClusterOptions options, BooleanSupplier confirmed) {
        Address self = address(options.name(), options.host() + ":" + options.port());
        return switch (options.discovery()) {
            case Discovery.Seeds(List<String> nodes) -> QuorumFormation.ofSeeds(self, nodes);
            case Discovery.Lookup lookup -> QuorumFormation.ofLookup(self, lookup);
            case Discovery.Database(var dataSource) -> new TableFormation(self, dataSource, confirmed);
        };
    }

    /** Returns the address of a node of a cluster. */
    static Address address(String cluster, String node) {
        int colon = node.lastIndexOf(':');
        return new Address("pekko", cluster, node.substring(0, colon), Integer.parseInt(node.substring(colon + 1)));
    }

    /** Returns an address as {@code host:port}. */
    static String text(Address node) {
        return node.getHost().orElse("") + ":" + node.getPort().orElse(0);
    }

    /** Returns the nodes to contact. Any thread may call this method. */
    Collection<Address> contacts();

    /** Returns whether this node may join a cluster of which it has heard. */
    boolean isJoinable(ClusterIdentity cluster, boolean established);

    /**
     * Returns the identity of the cluster that this node is to form now, or null. Called repeatedly while no cluster is
     * known.
     *
     * @param present the nodes that are present and not members of a cluster, with this one
     */
    @Nullable
    ClusterIdentity form(Set<Address> present);

    /**
     * Returns whether no other cluster of the same name can be established. Called repeatedly while this node is a
     * member.
     *
     * @param cluster the cluster of this node
     * @param members its full members
     */
    boolean isEstablished(ClusterIdentity cluster, Set<Address> members);

    /** Returns whether this node may report its cluster to others, as far as the formation knows. */
    boolean mayReport();

    /** Returns whether an older cluster of the same name exists, so that this one has to stop. */
    boolean isSuperseded();

    /** Returns the conditions of a join, for the message of a failed one. Any thread may call this method. */
    String conditions();

    /** Ends the use of external resources. Any thread may call it, also repeatedly. It may block. */
    void close();
}
