package io.fibry.cluster.pekko;

import io.fibry.cluster.ClusterOptions;
import java.util.Collection;
import java.util.List;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.AddressFromURIString;

/** The addresses of the seeds of a cluster. A cluster is formed only with a majority of them. */
record Seeds(List<Address> addresses) {

    static Seeds of(ClusterOptions options) {
        return new Seeds(options.seeds().stream()
                .distinct()
                .map(seed -> AddressFromURIString.parse("pekko://" + options.name() + "@" + seed))
                .toList());
    }

    boolean isMajority(Collection<Address> nodes) {
        return addresses.stream().filter(nodes::contains).count() >= majority();
    }

    int majority() {
        return addresses.size() / 2 + 1;
    }
}
