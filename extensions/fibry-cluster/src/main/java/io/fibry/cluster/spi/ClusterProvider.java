package io.fibry.cluster.spi;

import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.ClusterSystem;

/** Joins clusters. {@link ClusterSystem#join} finds it with {@link java.util.ServiceLoader}. */
public interface ClusterProvider {

    /** As {@link ClusterSystem#join}. */
    ClusterSystem join(ClusterOptions options);
}
