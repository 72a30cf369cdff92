package io.fibry.cluster.pekko;

import io.fibry.cluster.Discovery;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.Address;
import org.apache.pekko.cluster.Member;
import org.jspecify.annotations.Nullable;

/**
 * Forms a cluster with a majority of the seeds, or of the expected number of nodes. The present node with the lowest
 * address forms it, after a majority has been present for {@link #SETTLING}. The cluster is established when a majority
 * are full members.
 *
 * <p><b>Seeds.</b> Two majorities of the seeds have a seed in common, and a seed is a member of one cluster only.
 * Therefore two clusters with the same seeds cannot both be established, unless a seed restarts while the network is
 * partitioned.
 *
 * <p><b>Lookup.</b> Any node counts for the majority, since addresses change. Two majorities are therefore disjoint if
 * more nodes than expected are started while the network is partitioned. A node forms no cluster before a lookup has
 * succeeded.
 */
final class QuorumFormation implements Formation {

    /**
     * The time for which a majority must be present without a member among them. The members of an existing cluster
     * reconnect to a restarted seed within this time: the longest pause between two attempts is five times
     * {@code outbound-restart-backoff} of {@code cluster.conf}.
     */
    private static final Duration SETTLING = Duration.ofSeconds(3);

    private final Address self;
    private final int majority;

    /** Null for seeds. */
    private final @Nullable Polling lookup;

    private volatile Set<Address> contacts;
    private volatile boolean hasLooked;

    private boolean settling;
    private long settlingSince;

    private QuorumFormation(Address self, Discovery.Lookup lookup) {
        this.self = self;
        majority = majorityOf(lookup.expected());
        contacts = Set.of();
        this.lookup = Polling.start("The lookup of nodes", () -> look(lookup), () -> {});
    }

    private QuorumFormation(Address self, Set<Address> seeds) {
        this.self = self;
        majority = majorityOf(seeds.size());
        contacts = seeds;
        lookup = null;
    }

    private void look(Discovery.Lookup source) throws Exception {
        contacts = addresses(self, source.find());
        hasLooked = true;
    }

    static QuorumFormation ofSeeds(Address self, List<String> seeds) {
        return new QuorumFormation(self, addresses(self, seeds));
    }

    static QuorumFormation ofLookup(Address self, Discovery.Lookup lookup) {
        return new QuorumFormation(self, lookup);
    }

    private static int majorityOf(int nodes) {
        return nodes / 2 + 1;
    }

    private static Set<Address> addresses(Address self, Collection<String> nodes) {
        Set<Address> addresses = new HashSet<>();
        nodes.forEach(node -> addresses.add(Formation.address(self.system(), node)));
        return addresses;
    }

    @Override
    public Collection<Address> contacts() {
        return contacts;
    }

    @Override
    public boolean isJoinable(ClusterIdentity cluster, boolean established) {
        return true;
    }

    /** Returns the nodes among these that count for a majority. */
    private Set<Address> counted(Set<Address> nodes) {
        if (lookup != null) {
            return nodes;
        }
        Set<Address> seeds = new HashSet<>(nodes);
        seeds.retainAll(contacts);
        return seeds;
    }

    @Override
    public @Nullable ClusterIdentity form(Set<Address> present) {
        Set<Address> counted = counted(present);
        boolean complete = (lookup == null || hasLooked)
                && counted.size() >= majority
                && self.equals(counted.stream().min(Member.addressOrdering()).orElse(null));
        if (!complete) {
            settling = false;
        } else if (!settling) {
            settling = true;
            settlingSince = System.nanoTime();
        }
        return complete && System.nanoTime() - settlingSince >= SETTLING.toNanos() ? ClusterIdentity.make() : null;
    }

    @Override
    public boolean isEstablished(ClusterIdentity cluster, Set<Address> members) {
        return counted(members).size() >= majority;
    }

    @Override
    public boolean mayReport() {
        return true;
    }

    @Override
    public boolean isSuperseded() {
        return false;
    }

    @Override
    public String conditions() {
        if (lookup == null) {
            return "At least one of the seeds " + names() + " must be a member, with the same name and certificates. If"
                    + " there is no cluster yet, start at least " + majority + " of the seeds.";
        }
        Throwable problem = lookup.problem();
        if (problem != null) {
            return "The lookup of nodes fails: " + problem;
        }
        return "The lookup returns " + names()
                + ". At least one of these nodes must be a member, with the same name and"
                + " certificates. If there is no cluster yet, start at least " + majority + " nodes.";
    }

    private List<String> names() {
        return contacts.stream().map(Formation::text).sorted().toList();
    }

    /** Does not wait for the running lookup, which changes nothing. */
    @Override
    public void close() {
        if (lookup != null) {
            lookup.end();
        }
    }
}
