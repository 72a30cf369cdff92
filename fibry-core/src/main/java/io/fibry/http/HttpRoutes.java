package io.fibry.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Which handler answers which requests, by path and method. Immutable: each call makes new routes with one more, or with
 * another handler for the same path and method.
 *
 * {@snippet class = "HttpSnippets" region = "routes"}
 *
 * <p><b>Paths.</b> A path is compared with that of the request as it was sent, so {@code /%61} is not {@code /a}. A path that
 * ends with {@code /*} stands for all below it, and for itself without the {@code /*}. The exact path comes first, then the
 * longest.
 *
 * <p><b>Methods.</b> A request for a path without a route gets the status 404; if the path has routes for other methods only,
 * 405 with an {@code Allow} header. With {@link #all} there is neither. {@code HEAD} is answered by the route for {@code GET}, without the body, unless that is an
 * {@link #exchange} route, or there is a route for {@code HEAD}.
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

    /** A handler's work: the reply, or null if the handler has answered at the exchange itself. */
    @FunctionalInterface
    interface Route {
        @Nullable
        HttpReply handle(HttpExchange exchange) throws Exception;

        default boolean answersHead() {
            return true;
        }
    }

    /** A route whose handler writes to the exchange, and what it writes for GET would be wrong for HEAD. */
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

    /** No routes: every request gets the status 404. */
    public static HttpRoutes none() {
        return NONE;
    }

    /** One handler for all paths and methods, but for those that get a route of their own. */
    public static HttpRoutes all(ExchangeHandler handler) {
        return new HttpRoutes(textOf(handler), Map.of(), longestFirst());
    }

    /** A text for {@code GET} and {@code HEAD}. */
    public HttpRoutes get(String path, ExchangeHandler handler) {
        return text(GET, path, handler);
    }

    /** A text. */
    public HttpRoutes text(String method, String path, ExchangeHandler handler) {
        return with(method, path, textOf(handler));
    }

    /** A reply with a status and a content type of the handler's choice. */
    public HttpRoutes reply(String method, String path, ReplyHandler handler) {
        Objects.requireNonNull(handler, "handler");
        return with(method, path, handler::handle);
    }

    /**
     * A handler that reads and answers at the exchange; the exchange is closed when it returns. Headers that cannot be sent,
     * such as one with a line break, throw an {@link IllegalArgumentException} when it sends the head of the response.
     */
    public HttpRoutes exchange(String method, String path, HttpHandler handler) {
        Objects.requireNonNull(handler, "handler");
        return with(method, path, new FullExchange(handler));
    }

    /** For those who watch over the service: 200 if it is healthy, 503 if it is not, 500 if that cannot be told. */
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
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("the path \"" + path + "\" of a route has to begin with a slash");
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

    /** The route for a request: perhaps one that says that there is none. */
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
