/** Actors on virtual threads. A module that uses {@code io.fibry.http} also requires {@code jdk.httpserver}. */
module io.fibry {
    requires org.slf4j;
    requires static transitive jdk.httpserver;
    requires static transitive org.jspecify;

    exports io.fibry;
    exports io.fibry.http;
    exports io.fibry.net;
    exports io.fibry.stereotypes;
}
