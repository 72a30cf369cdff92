package io.fibry.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.fibry.ThrowingFunction;
import io.fibry.dispatch.LogText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The filters that run before the handlers of routes, and the headers of all responses. Immutable. */
final class RouteFilters {

    static final RouteFilters NONE = new RouteFilters(List.of(), false, caseless());

    /** The headers that differ from response to response. */
    private static final Set<String> OF_THE_SERVER =
            names("Connection", "Content-Length", "Content-Type", "Date", "Transfer-Encoding");

    private final List<ThrowingFunction<HttpExchange, @Nullable HttpReply>> filters;
    private final boolean ofHealth;
    private final Map<String, String> headers;

    private RouteFilters(
            List<ThrowingFunction<HttpExchange, @Nullable HttpReply>> filters,
            boolean ofHealth,
            Map<String, String> headers) {
        this.filters = filters;
        this.ofHealth = ofHealth;
        this.headers = headers;
    }

    private static Map<String, String> caseless() {
        return new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    }

    private static Set<String> names(String... names) {
        var set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        Collections.addAll(set, names);
        return set;
    }

    RouteFilters with(ThrowingFunction<HttpExchange, @Nullable HttpReply> added) {
        var all = new ArrayList<>(filters);
        all.add(added);
        return new RouteFilters(List.copyOf(all), ofHealth, headers);
    }

    RouteFilters withHealth() {
        return new RouteFilters(filters, true, headers);
    }

    RouteFilters with(String name, String value) {
        Objects.requireNonNull(value, "value");
        if (!HttpTokens.isToken(name) || !HttpTokens.isFieldValue(value)) {
            throw new IllegalArgumentException(
                    "\"" + LogText.plain(name) + "\" is not the name of a header, or its value has a line break, "
                            + "another control character, or a character outside ISO 8859-1");
        }
        if (OF_THE_SERVER.contains(name)) {
            throw new IllegalArgumentException("the header " + name
                    + " differs from response to response; set it in a handler, or let the server set it");
        }
        var all = caseless();
        all.putAll(headers);
        all.put(name, value);
        return new RouteFilters(filters, ofHealth, all);
    }

    boolean isEmpty() {
        return filters.isEmpty() && headers.isEmpty();
    }

    /** Sets the headers of all responses. */
    void addHeaders(Headers response) {
        if (!headers.isEmpty()) {
            headers.forEach(response::set);
        }
    }

    /** Runs the filters before a route. Returns the reply of the first one that refuses the request, or null. */
    @Nullable
    HttpReply refusal(HttpExchange exchange, HttpRoutes.Route route) throws Exception {
        if (route.isHealthCheck() && !ofHealth) {
            return null;
        }
        for (var filter : filters) {
            HttpReply refusal = filter.apply(exchange);
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }
}
