package io.fibry.cluster.pekko;

import io.fibry.cluster.ClusterOptions;
import java.util.Collection;
import java.util.List;
import org.apache.pekko.actor.Address;

/** The addresses of the seeds of a cluster. A cluster is formed only with a majority of them. */
record Seeds(List<Address> addresses) {

    static Seeds of(ClusterOptions options) {
        return new Seeds(options.seeds().stream()
                .distinct()
                .map(seed -> address(options.name(), seed))
                .toList());
    }

    private static Address address(String cluster, String seed) {
        int colon = seed.lastIndexOf(':');
        return new Address("pekko", cluster, seed.substring(0, colon), Integer.parseInt(seed.substring(colon + 1)));
    }

    boolean isMajority(Collection<Address> nodes) {
        return addresses.stream().filter(nodes::contains).count() >= majority();
    }

    int majority() {
        return addresses.size() / 2 + 1;
    }
}
