/** WebSocket, HTTP/2 and server-sent events for actors, on Helidon's web server. */
module io.fibry.helidon {
    requires transitive io.fibry;
    requires transitive io.helidon.webserver;
    requires io.helidon.webserver.http2;
    requires io.helidon.webserver.websocket;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.fibry.helidon;
}
