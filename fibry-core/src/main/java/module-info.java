/** Actors on virtual threads. */
module io.fibry {
    requires org.slf4j;
    requires transitive jdk.httpserver;
    requires static transitive org.jspecify;

    exports io.fibry;
    exports io.fibry.net;
    exports io.fibry.stereotypes;
}
