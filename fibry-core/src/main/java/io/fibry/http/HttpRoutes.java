package io.fibry.http;

import com.sun.net.httpserver.HttpExchange;
import io.fibry.ThrowingFunction;
import io.fibry.dispatch.LogText;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The routes of an HTTP server. They map the path and the method of a request to a handler. Immutable: each method
 * returns new routes. The methods that add a route throw {@link IllegalArgumentException} if the route could never
 * answer a request: for instance the same path and method twice, a {@code *} that is not at the end, or a method in
 * lower case.
 *
 * {@snippet class = "HttpSnippets" region = "routes"}
 *
 * <p><b>Paths.</b> A path that a proxy may read as another path is refused with the status 400: one with a dot segment,
 * an empty segment, an encoded slash, dot or letter, a backslash, a semicolon, or a control character. The path of a
 * request is compared as it was sent, without decoding, so {@code /%C3%A4} is not {@code /%c3%a4}. A parameter such as
 * {@code {id}} in {@code /orders/{id}} matches one segment that is not empty; {@link HttpParameters} has its decoded
 * value. A route whose path ends with {@code /*} matches every path below it, and the path without the {@code /*}. If
 * several routes match, the first segment in which they differ decides: a literal wins over a parameter, and a
 * parameter over the wildcard. The order in which routes are added does not matter. A second route for the same path
 * and method is an error.
 *
 * <p><b>Methods.</b> A request for a path without a route gets the status 404. If the path has routes for other methods
 * only, it gets 405 with an {@code Allow} header. With {@link #all}, the handler given to that method answers in both
 * cases. The route for {@code GET} answers {@code HEAD} too, without the body, unless it is a stream of
 * {@link #events}, or there is a route for {@code HEAD}.
 */
public final class HttpRoutes {

    private static final String GET = "GET";
    private static final String HEAD = "HEAD";
    private static final HttpReply NOT_FOUND = new HttpReply(404, null, "Not Found");
    private static final HttpReply NOT_ALLOWED = new HttpReply(405, null, "Method Not Allowed");
    private static final HttpReply HEALTHY = HttpReply.text("OK");
    private static final HttpReply NOT_HEALTHY = new HttpReply(503, null, "Service Unavailable");
    private static final HttpRoutes NONE = new HttpRoutes(null, Map.of(), new TreeMap<>(), RouteFilters.NONE);

    /** Returns the reply, or null if the handler has sent the response on the exchange. */
    @FunctionalInterface
    interface Route {
        @Nullable
        HttpReply handle(HttpExchange exchange) throws Exception;

        default boolean answersHead() {
            return true;
        }

        default boolean isHealthCheck() {
            return false;
        }

        /** The path with which the route was added; empty for the handler of all other requests, or without one. */
        default String path() {
            return "";
        }
    }

    /** A stream of events. It does not answer HEAD: a stream without a body would never end. */
    private record Events(EventStreamHandler handler) implements Route {
        @Override
        public @Nullable HttpReply handle(HttpExchange exchange) throws Exception {
            EventStream.serve(exchange, handler);
            return null;
        }

        @Override
        public boolean answersHead() {
            return false;
        }
    }

    /** A route that is answered also when the server is full. */
    private record HealthCheck(BooleanSupplier healthy) implements Route {
        @Override
        public HttpReply handle(HttpExchange exchange) {
            return healthy.getAsBoolean() ? HEALTHY : NOT_HEALTHY;
        }

        @Override
        public boolean isHealthCheck() {
            return true;
        }
    }

    /** A route with its path; the pattern is null if the path has no parameters. */
    private record AtPath(String path, @Nullable RoutePattern pattern, Route route) implements Route {
        @Override
        public @Nullable HttpReply handle(HttpExchange exchange) throws Exception {
            if (pattern != null) {
                String actual = exchange.getRequestURI().getRawPath();
                GuardedExchange.guardOf(exchange).pathParameters(pattern.parameters(actual));
            }
            return route.handle(exchange);
        }

        @Override
        public boolean answersHead() {
            return route.answersHead();
        }

        @Override
        public boolean isHealthCheck() {
            return route.isHealthCheck();
        }
    }

    private final @Nullable Route all;
    private final Map<String, SortedMap<String, Route>> exact;
    private final SortedMap<RoutePattern, SortedMap<String, Route>> patterns;
    private final RouteFilters filters;

    private HttpRoutes(
            @Nullable Route all,
            Map<String, SortedMap<String, Route>> exact,
            SortedMap<RoutePattern, SortedMap<String, Route>> patterns,
            RouteFilters filters) {
        this.all = all;
        this.exact = exact;
        this.patterns = patterns;
        this.filters = filters;
    }

    /** Returns no routes: every request gets the status 404. */
    public static HttpRoutes none() {
        return NONE;
    }

    /** Returns routes with one handler for all paths and methods that have no route of their own. */
    public static HttpRoutes all(ExchangeHandler handler) {
        return new HttpRoutes(textOf(handler), Map.of(), new TreeMap<>(), RouteFilters.NONE);
    }

    /** Adds a route for {@code GET} and {@code HEAD} whose handler returns a text. */
    public HttpRoutes get(String path, ExchangeHandler handler) {
        return with(GET, path, textOf(handler));
    }

    /** Adds a route for {@code POST} whose handler returns a text. */
    public HttpRoutes post(String path, ExchangeHandler handler) {
        return with("POST", path, textOf(handler));
    }

    /** Adds a route for {@code PUT} whose handler returns a text. */
    public HttpRoutes put(String path, ExchangeHandler handler) {
        return with("PUT", path, textOf(handler));
    }

    /** Adds a route for {@code DELETE} whose handler returns a text. */
    public HttpRoutes delete(String path, ExchangeHandler handler) {
        return with("DELETE", path, textOf(handler));
    }

    /**
     * Adds a route for any method. Its handler returns a response with a status and a content type, or sends the
     * response on the exchange itself: see {@link ReplyHandler#of}.
     */
    public HttpRoutes handle(String method, String path, ReplyHandler handler) {
        Objects.requireNonNull(handler, "handler");
        return with(method, path, handler::handle);
    }

    /**
     * Adds a route for {@code GET} whose handler sends server-sent events. A stream holds one of {@link
     * HttpOptions#maxRequests} as long as it is open.
     */
    public HttpRoutes events(String path, EventStreamHandler handler) {
        Objects.requireNonNull(handler, "handler");
        return with(GET, path, new Events(handler));
    }

    /**
     * Adds a health check for {@code GET}: 200 if the supplier returns true, 503 if false, 500 if it throws. It is
     * answered even if {@link HttpOptions#maxRequests} or {@link HttpOptions#maxPerAddress} is reached, unless 16 more
     * requests than allowed are in progress. Filters do not run before it, unless {@link #filterHealth} is called. The
     * supplier should not block.
     */
    public HttpRoutes health(String path, BooleanSupplier healthy) {
        Objects.requireNonNull(healthy, "healthy");
        return with(GET, path, new HealthCheck(healthy));
    }

    /**
     * Adds a filter of all requests, including requests without a route. The filter runs before the handler, for
     * instance to check a token or the {@code Host}, or to set headers of the response. If the filter returns null, the
     * request is handled; otherwise the client gets the returned reply. If the filter throws, the client gets 500.
     * Filters run in the order in which they were added.
     *
     * <p>The headers that filters set are sent with each response to the request, also with 400 and 500; except
     * {@code Content-Type} and the other headers that describe a body, because an error has its own body.
     *
     * <p>Filters do not run for health checks, unless {@link #filterHealth} is called, nor for requests that the server
     * itself refuses because they are invalid or exceed a limit. For headers of all responses, see {@link #header}.
     */
    public HttpRoutes filter(ThrowingFunction<HttpExchange, @Nullable HttpReply> added) {
        return new HttpRoutes(all, exact, patterns, filters.with(Objects.requireNonNull(added, "added")));
    }

    /**
     * Applies the filters to health checks, too. A rate limit or an authentication then also applies to the monitor, to
     * which the server may appear to be down.
     */
    public HttpRoutes filterHealth() {
        return new HttpRoutes(all, exact, patterns, filters.withHealth());
    }

    /**
     * Sets a header of all responses, including health checks, errors, and responses to requests that the server
     * refuses because they are invalid or exceed a limit. A filter or a handler may set another value. The JDK's server
     * itself answers some requests whose head it cannot parse, without the header.
     *
     * @throws IllegalArgumentException if the name or the value is not valid, or if the server sets the header itself
     */
    public HttpRoutes header(String name, String value) {
        return new HttpRoutes(all, exact, patterns, filters.with(name, value));
    }

    /** The filters, and the headers of all responses. */
    RouteFilters filters() {
        return filters;
    }

    private static Route textOf(ExchangeHandler handler) {
        Objects.requireNonNull(handler, "handler");
        return exchange -> {
            String text = handler.handle(exchange);
            return text == null ? null : HttpReply.text(text);
        };
    }

    private HttpRoutes with(String method, String path, Route route) {
        if (!HttpTokens.isToken(method)) {
            throw new IllegalArgumentException("\"" + LogText.plain(method) + "\" is not the name of an HTTP method");
        }
        String upper = method.toUpperCase(Locale.ROOT);
        if (!method.equals(upper)) {
            throw new IllegalArgumentException(
                    "methods are compared with case: write \"" + upper + "\" for \"" + method + "\"");
        }
        RoutePattern.check(path);
        if (!RoutePattern.isNeeded(path)) {
            var newExact = new HashMap<>(exact);
            add(newExact, path, method, path, new AtPath(path, null, route));
            return new HttpRoutes(all, newExact, patterns, filters);
        }
        var pattern = RoutePattern.of(path);
        var newPatterns = new TreeMap<>(patterns);
        add(newPatterns, pattern, method, path, new AtPath(path, pattern.hasParameters() ? pattern : null, route));
        return new HttpRoutes(all, exact, newPatterns, filters);
    }

    private static <K> void add(Map<K, SortedMap<String, Route>> to, K key, String method, String path, Route route) {
        to.merge(key, new TreeMap<>(Map.of(method, route)), (old, added) -> {
            if (old.containsKey(method)) {
                throw new IllegalArgumentException("there is already a route for " + method + " " + LogText.plain(path)
                        + ", or one that matches the same paths; give each path and method one handler");
            }
            var both = new TreeMap<>(old);
            both.putAll(added);
            return both;
        });
    }

    /** The route for a request; if there is none, a route that replies with 404 or 405. */
    Route find(String path, String method) {
        SortedMap<String, Route> methods = exact.get(path);
        if (methods == null) {
            methods = findPattern(path);
        }
        if (methods == null) {
            return all != null ? all : exchange -> NOT_FOUND;
        }
        Route route = methods.get(method);
        if (route == null && method.equals(HEAD)) {
            Route get = methods.get(GET);
            route = get != null && get.answersHead() ? get : null;
        }
        if (route != null) {
            return route;
        }
        return all != null ? all : notAllowed(methods);
    }

    private @Nullable SortedMap<String, Route> findPattern(String path) {
        for (var entry : patterns.entrySet()) {
            if (entry.getKey().matches(path)) {
                return entry.getValue();
            }
        }
        return null;
    }

    private static Route notAllowed(SortedMap<String, Route> methods) {
        Route get = methods.get(GET);
        boolean head = get != null && get.answersHead();
        var names = new TreeSet<>(methods.keySet());
        if (head) {
            names.add(HEAD);
        }
        String allowed = String.join(", ", names);
        return exchange -> {
            exchange.getResponseHeaders().set("Allow", allowed);
            return NOT_ALLOWED;
        };
    }
}
