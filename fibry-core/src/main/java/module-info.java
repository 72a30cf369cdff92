/**
 * Actors on virtual threads. A module that uses {@code io.fibry.http} also has to require {@code jdk.httpserver}.
 *
 * <p>Without the module {@code jdk.jfr}, the library runs, and Flight Recorder gets no events of it. Only the command
 * line of the jar uses {@code jdk.attach}.
 *
 * <p>The static requirements are not transitive. Otherwise javac would require JSpecify from every user of the library,
 * and would compile code for the HTTP server that does not find {@code jdk.httpserver} at run time.
 */
@SuppressWarnings("module") // an extension need not be there
module io.fibry {
    requires org.slf4j;
    requires static java.management;
    requires static jdk.attach;
    requires static jdk.httpserver;
    requires static jdk.jfr;
    requires static org.jspecify;

    exports io.fibry;
    exports io.fibry.batch;
    exports io.fibry.dispatch to
            io.fibry.cluster,
            io.fibry.cluster.pekko,
            io.fibry.durable,
            io.fibry.helidon,
            io.fibry.kotlin,
            io.fibry.micrometer,
            io.fibry.spring,
            io.fibry.test;
    exports io.fibry.entity;
    exports io.fibry.flow;
    exports io.fibry.generator;
    exports io.fibry.http;
    exports io.fibry.mapreduce;
    exports io.fibry.net;
    exports io.fibry.observer;
    exports io.fibry.pool;
    exports io.fibry.schedule;
    exports io.fibry.sockets to
            io.fibry.helidon;
    exports io.fibry.state;
    exports io.fibry.stereotypes;
    exports io.fibry.topic;
}
