/** Actors for keys on a cluster: the API. A module such as {@code fibry-cluster-pekko} implements it. */
module io.fibry.cluster {
    requires transitive io.fibry;
    requires transitive io.fibry.durable;
    requires transitive java.sql;
    requires java.net.http;
    requires org.slf4j;
    requires tools.jackson.databind;
    requires static org.jspecify;

    exports io.fibry.cluster;
    exports io.fibry.cluster.spi;

    uses io.fibry.cluster.spi.ClusterProvider;
}
