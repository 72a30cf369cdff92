package io.fibry.cluster.pekko;

import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.ClusterSystem;
import io.fibry.cluster.spi.ClusterProvider;

/** The provider that {@link ClusterSystem#join} loads. */
public final class PekkoProvider implements ClusterProvider {

    /** Called by {@link java.util.ServiceLoader}. */
    public PekkoProvider() {}

    @Override
    public ClusterSystem join(ClusterOptions options) {
        return PekkoCluster.join(options);
    }
}
