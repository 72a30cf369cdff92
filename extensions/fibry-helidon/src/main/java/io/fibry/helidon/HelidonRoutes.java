package io.fibry.helidon;

import io.fibry.sockets.RoutePath;
import io.helidon.webserver.http.HttpRouting;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The routes of a {@link HelidonServer}: Helidon's own routes, WebSocket endpoints and sources of events. Immutable:
 * each method returns new routes.
 *
 * {@snippet class = "HelidonSnippets" region = "routes"}
 */
public final class HelidonRoutes {

    private static final HelidonRoutes NONE = new HelidonRoutes(List.of(), List.of(), List.of());

    private final List<Consumer<? super HttpRouting.Builder>> http;
    private final List<WebSocketRoute> webSockets;
    private final List<EventStreamRoute> events;

    private HelidonRoutes(
            List<Consumer<? super HttpRouting.Builder>> http,
            List<WebSocketRoute> webSockets,
            List<EventStreamRoute> events) {
        this.http = http;
        this.webSockets = webSockets;
        this.events = events;
    }

    /** No routes: every request gets 404. */
    public static HelidonRoutes none() {
        return NONE;
    }

    /**
     * Adds Helidon's own routes, for HTTP/1.1 and HTTP/2. Their handlers run on virtual threads, so they may
     * {@linkplain io.fibry.Actor#call call} actors. If an actor does not reply in time, the client gets the status 504;
     * if it has been stopped or its mailbox is full, the status 503 with {@code Retry-After: 1}.
     *
     * @param routes gets Helidon's builder when a server starts
     */
    public HelidonRoutes http(Consumer<? super HttpRouting.Builder> routes) {
        return new HelidonRoutes(and(http, Objects.requireNonNull(routes, "routes")), webSockets, events);
    }

    /** Adds a WebSocket endpoint with the default limits. The path may have parameters, as Helidon's paths do. */
    public HelidonRoutes webSocket(String path, WebSocketEndpoint endpoint) {
        return webSocket(path, endpoint, WebSocketOptions.defaults());
    }

    /**
     * Adds a WebSocket endpoint. The path may have parameters, as Helidon's paths do.
     *
     * @throws IllegalArgumentException if no request can match the path, for instance because it does not begin with a
     *     slash, or the path already has an endpoint
     */
    public HelidonRoutes webSocket(String path, WebSocketEndpoint endpoint, WebSocketOptions options) {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(endpoint, "endpoint");
        Objects.requireNonNull(options, "options");
        check(path, webSockets.stream().map(WebSocketRoute::path));
        return new HelidonRoutes(http, and(webSockets, new WebSocketRoute(path, endpoint, options)), events);
    }

    /**
     * Adds a source of server-sent events. The path may have parameters, as Helidon's paths do.
     *
     * @throws IllegalArgumentException if no request can match the path, or the path already has a source
     */
    public HelidonRoutes events(String path, EventStreams source) {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(source, "source");
        check(path, events.stream().map(EventStreamRoute::path));
        return new HelidonRoutes(http, webSockets, and(events, new EventStreamRoute(path, source)));
    }

    private static void check(String path, Stream<String> taken) {
        HelidonPath.check(path);
        if (taken.anyMatch(path::equals)) {
            throw RoutePath.refused(path, "is already taken; Helidon would use the first one only");
        }
    }

    private static <T> List<T> and(List<T> before, T added) {
        return Stream.concat(before.stream(), Stream.of(added)).toList();
    }

    List<Consumer<? super HttpRouting.Builder>> http() {
        return http;
    }

    List<WebSocketRoute> webSockets() {
        return webSockets;
    }

    List<EventStreamRoute> events() {
        return events;
    }
}
