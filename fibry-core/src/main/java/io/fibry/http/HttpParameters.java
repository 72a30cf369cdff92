package io.fibry.http;

import com.sun.net.httpserver.HttpExchange;
import io.fibry.dispatch.LogText;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The parameters of a request, in the path of its route, such as {@code /orders/{id}}, or in its query. Names and
 * values are decoded, once. Immutable.
 *
 * {@snippet class = "HttpSnippets" region = "parameters"}
 *
 * <p>If a parameter is invalid, the methods throw, and if the handler does not catch the exception, the client gets the
 * status 400. A parameter is invalid if it contains a percent sign without two hexadecimal digits, bytes that are not
 * UTF-8, NUL, or a character that is neither ASCII nor encoded.
 */
public final class HttpParameters {

    private final String kind;
    private final Map<String, List<String>> values;

    private HttpParameters(String kind, Map<String, List<String>> values) {
        this.kind = kind;
        this.values = values;
    }

    /**
     * Returns the parameters in the path of the route. A value has no slash: a request with an encoded slash is
     * refused.
     *
     * @param exchange the exchange that was passed to the handler
     * @throws IllegalArgumentException if it is another exchange
     */
    public static HttpParameters ofPath(HttpExchange exchange) {
        return new HttpParameters("path", GuardedExchange.guardOf(exchange).pathParameters());
    }

    /**
     * Returns the parameters in the query, as HTML forms encode them: a plus sign is a space. Each call decodes the
     * query again.
     *
     * @throws UncheckedIOException if the query is not valid; the client gets the status 400
     */
    public static HttpParameters ofQuery(HttpExchange exchange) {
        String query = exchange.getRequestURI().getRawQuery();
        try {
            return new HttpParameters("query", query == null ? Map.of() : parse(query));
        } catch (ClientException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, List<String>> parse(String query) throws ClientException {
        var all = new LinkedHashMap<String, List<String>>();
        for (String pair : query.split("&", -1)) {
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                String name = PercentDecoder.ofQuery(equals < 0 ? pair : pair.substring(0, equals));
                String value = equals < 0 ? "" : PercentDecoder.ofQuery(pair.substring(equals + 1));
                all.computeIfAbsent(name, absent -> new ArrayList<>()).add(value);
            }
        }
        all.replaceAll((name, values) -> Collections.unmodifiableList(values));
        return Collections.unmodifiableMap(all);
    }

    /**
     * Returns the value of a parameter that the request must have, exactly once.
     *
     * @throws UncheckedIOException if the query does not have the parameter exactly once; the client gets the status
     *     400
     * @throws IllegalArgumentException if the path of the route has no such parameter
     */
    public String get(String name) {
        return find(name).orElseThrow(() -> missing(name));
    }

    /**
     * As {@link #get(String)}, with a function that parses the value, such as {@code Long::parseLong}.
     *
     * @throws UncheckedIOException also if the function throws an {@link IllegalArgumentException}; the client gets the
     *     status 400
     */
    public <T> T get(String name, Function<String, T> parser) {
        String value = get(name);
        try {
            return parser.apply(value);
        } catch (IllegalArgumentException e) {
            throw new UncheckedIOException(new ClientException(400, parameter(name) + " is not valid", e));
        }
    }

    /**
     * Returns the value of a parameter that the request may have once. Without an equals sign, the value is empty.
     *
     * @throws UncheckedIOException if the query has the parameter several times, which a proxy may read differently;
     *     the client gets the status 400
     */
    public Optional<String> find(String name) {
        List<String> found = all(name);
        if (found.size() > 1) {
            throw new UncheckedIOException(new ClientException(400, parameter(name) + " is there more than once"));
        }
        return found.stream().findFirst();
    }

    /** Returns all values of a parameter, in the order of the request. */
    public List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** Returns the names of all parameters, in the order of the request. */
    public Set<String> names() {
        return values.keySet();
    }

    private RuntimeException missing(String name) {
        return kind.equals("query")
                ? new UncheckedIOException(new ClientException(400, parameter(name) + " is missing"))
                : new IllegalArgumentException(
                        "the path of this route has no parameter {" + LogText.plain(name) + "}; it has " + names());
    }

    private String parameter(String name) {
        return "the " + kind + " parameter " + (HttpTokens.isToken(name) ? name : "");
    }

    /** All names and values. */
    @Override
    public String toString() {
        return values.toString();
    }
}
