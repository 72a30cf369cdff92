/**
 * Actors for keys on a cluster: the API, codecs and a store for state. A program that keeps state in H2 needs the
 * module {@code com.h2database} too.
 */
@SuppressWarnings("requires-automatic") // H2 has no descriptor
module io.fibry.cluster {
    requires transitive io.fibry;
    requires transitive java.sql;
    requires java.net.http;
    requires tools.jackson.databind;
    requires tools.jackson.dataformat.cbor;
    requires org.slf4j;
    requires static com.h2database;
    requires static org.jspecify;

    exports io.fibry.cluster;
    exports io.fibry.cluster.spi;
    exports io.fibry.cluster.state;

    uses io.fibry.cluster.spi.ClusterProvider;
}
