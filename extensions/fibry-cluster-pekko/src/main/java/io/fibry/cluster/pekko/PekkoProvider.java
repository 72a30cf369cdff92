package io.fibry.cluster.pekko;

import io.fibry.cluster.ClusterConfig;
import io.fibry.cluster.ClusterSystem;
import io.fibry.cluster.spi.ClusterProvider;

/** Found by {@link ClusterSystem#join}. */
public final class PekkoProvider implements ClusterProvider {

    /** For {@link java.util.ServiceLoader}. */
    public PekkoProvider() {}

    @Override
    public ClusterSystem join(ClusterConfig config) {
        return PekkoCluster.join(config);
    }
}
