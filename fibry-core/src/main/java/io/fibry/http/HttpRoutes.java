package io.fibry.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.util.Comparator;
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
 * The routes of an HTTP server: which handler answers a request, by path and method. Immutable: each call returns new routes that
 * have one more. A route that could never answer a request throws {@link IllegalArgumentException}: for instance the same path and
 * method twice, a {@code *} that is not at the end, or a method in lower case.
 *
 * {@snippet class = "HttpSnippets" region = "routes"}
 *
 * <p><b>Paths.</b> The path of a request is compared as it was sent, without decoding, so {@code /%61} is not {@code /a}. A route
 * whose path ends with {@code /*} matches every path below it, and the path without the {@code /*}. An exact match wins, then the
 * longest prefix.
 *
 * <p><b>Methods.</b> A request for a path without a route gets the status 404. If the path has routes for other methods only, it
 * gets 405 with an {@code Allow} header. With {@link #all}, the handler given there answers in both cases. The route for
 * {@code GET} answers {@code HEAD} too, without the body, unless it is an {@link #exchange} route, or there is a route for
 * {@code HEAD}.
 */
public final class HttpRoutes {

    private static final String BELOW = "/*";
    private static final String GET = "GET";
    private static final String HEAD = "HEAD";
    private static final HttpReply NOT_FOUND = new HttpReply(404, null, "Not Found");
    private static final HttpReply NOT_ALLOWED = new HttpReply(405, null, "Method Not Allowed");
    private static final HttpReply HEALTHY = HttpReply.text("OK");
    private static final HttpReply NOT_HEALTHY = new HttpReply(503, null, "Service Unavailable");
    private static final HttpRoutes NONE = new HttpRoutes(null, Map.of(), longestFirst());

    /** Returns the reply, or null if the handler has sent the response on the exchange. */
    @FunctionalInterface
    interface Route {
        @Nullable
        HttpReply handle(HttpExchange exchange) throws Exception;

        default boolean answersHead() {
            return true;
        }
    }

    /** A route whose handler writes the response itself. It does not answer HEAD: for that, it must not write the body. */
    private record FullExchange(HttpHandler handler) implements Route {
        @Override
        public @Nullable HttpReply handle(HttpExchange exchange) throws Exception {
            handler.handle(exchange);
            return null;
        }

        @Override
        public boolean answersHead() {
            return false;
        }
    }

    private final @Nullable Route all;
    private final Map<String, SortedMap<String, Route>> exact;
    private final SortedMap<String, SortedMap<String, Route>> below;

    private HttpRoutes(
            @Nullable Route all,
            Map<String, SortedMap<String, Route>> exact,
            SortedMap<String, SortedMap<String, Route>> below) {
        this.all = all;
        this.exact = exact;
        this.below = below;
    }

    /** Returns no routes: every request gets the status 404. */
    public static HttpRoutes none() {
        return NONE;
    }

    /** Returns routes with one handler for all paths and methods that have no route of their own. */
    public static HttpRoutes all(ExchangeHandler handler) {
        return new HttpRoutes(textOf(handler), Map.of(), longestFirst());
    }

    /** Adds a route for {@code GET} and {@code HEAD} whose handler returns a text. */
    public HttpRoutes get(String path, ExchangeHandler handler) {
        return text(GET, path, handler);
    }

    /** Adds a route whose handler returns a text. */
    public HttpRoutes text(String method, String path, ExchangeHandler handler) {
        return with(method, path, textOf(handler));
    }

    /** Adds a route whose handler returns a text with a status and a content type. */
    public HttpRoutes reply(String method, String path, ReplyHandler handler) {
        Objects.requireNonNull(handler, "handler");
        return with(method, path, handler::handle);
    }

    /**
     * Adds a route whose handler reads the request and sends the response on the exchange itself. When the handler returns, the
     * exchange is closed. If a header is not valid, for instance because of a line break, or the status is not from 200 to 599,
     * {@link HttpExchange#sendResponseHeaders} throws {@link IllegalArgumentException}. It sets {@code Content-Length} and
     * {@code Transfer-Encoding} itself, and removes those of the handler; only the length of a body that is not sent is kept, for
     * {@code HEAD} and the status 304.
     */
    public HttpRoutes exchange(String method, String path, HttpHandler handler) {
        Objects.requireNonNull(handler, "handler");
        return with(method, path, new FullExchange(handler));
    }

    /** Adds a health check for {@code GET}: 200 if the supplier returns true, 503 if false, 500 if it throws. */
    public HttpRoutes health(String path, BooleanSupplier healthy) {
        Objects.requireNonNull(healthy, "healthy");
        return with(GET, path, exchange -> healthy.getAsBoolean() ? HEALTHY : NOT_HEALTHY);
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
            throw new IllegalArgumentException("\"" + method + "\" is not the name of an HTTP method");
        }
        String upper = method.toUpperCase(Locale.ROOT);
        if (!method.equals(upper)) {
            throw new IllegalArgumentException(
                    "methods are compared with case: write \"" + upper + "\" for \"" + method + "\"");
        }
        RoutePath.check(path);
        if (hasRoute(method, path)) {
            throw new IllegalArgumentException(
                    "there is already a route for " + method + " " + path + ": give each path and method one handler");
        }
        var newExact = new HashMap<>(exact);
        var newBelow = new TreeMap<>(below);
        if (path.endsWith(BELOW)) {
            add(newBelow, path.substring(0, path.length() - BELOW.length()), method, route);
        } else {
            add(newExact, path, method, route);
        }
        return new HttpRoutes(all, newExact, newBelow);
    }

    private boolean hasRoute(String method, String path) {
        SortedMap<String, Route> methods =
                path.endsWith(BELOW) ? below.get(path.substring(0, path.length() - BELOW.length())) : exact.get(path);
        return methods != null && methods.containsKey(method);
    }

    private static void add(Map<String, SortedMap<String, Route>> to, String path, String method, Route route) {
        to.merge(path, new TreeMap<>(Map.of(method, route)), (old, added) -> {
            var both = new TreeMap<>(old);
            both.putAll(added);
            return both;
        });
    }

    private static SortedMap<String, SortedMap<String, Route>> longestFirst() {
        return new TreeMap<>(
                Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder()));
    }

    /** The route for a request; if there is none, a route that replies with 404 or 405. */
    Route find(String path, String method) {
        SortedMap<String, Route> methods = exact.get(path);
        if (methods == null) {
            methods = findBelow(path);
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

    private @Nullable SortedMap<String, Route> findBelow(String path) {
        for (var entry : below.entrySet()) {
            String prefix = entry.getKey();
            if (path.startsWith(prefix) && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/')) {
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
