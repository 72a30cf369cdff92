/**
 * Actors on virtual threads. A module that uses {@code io.fibry.http} also requires {@code jdk.httpserver}.
 *
 * <p>What is required statically is not transitive: javac then asks those who use the library for JSpecify, and lets code for the
 * HTTP server compile that does not find it at run time.
 */
module io.fibry {
    requires org.slf4j;
    requires static jdk.httpserver;
    requires static org.jspecify;

    exports io.fibry;
    exports io.fibry.http;
    exports io.fibry.net;
    exports io.fibry.stereotypes;
}
