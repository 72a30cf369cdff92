/** Actors for keys on a cluster: the API, codecs and a store for state. */
module io.fibry.cluster {
    requires transitive io.fibry;
    requires transitive java.sql;
    requires tools.jackson.databind;
    requires tools.jackson.dataformat.cbor;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.fibry.cluster;
    exports io.fibry.cluster.spi;
    exports io.fibry.cluster.state;

    uses io.fibry.cluster.spi.ClusterProvider;
}
