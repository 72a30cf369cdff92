package io.fibry.micrometer;

import io.fibry.http.HttpAccess;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.http.Outcome;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Records the requests of an HTTP server in the timer {@code http.server.requests}, with a histogram.
 *
 * <pre>{@code
 * var options = HttpOptions.defaults().accessLog(HttpRequestTimer.of(registry));
 * }</pre>
 *
 * <p>To write a log as well, combine both with {@link Consumer#andThen}.
 *
 * <p>Its tags have the meaning of the tags of Spring's timer of this name, and a limited number of values:
 *
 * <ul>
 *   <li>{@code method}, or {@code UNKNOWN} for a method that is not registered and has no route
 *   <li>{@code uri}: the path of the route as it was added, such as {@code /orders/{id}}; without such a route, {@code
 *       NOT_FOUND} or {@code UNKNOWN}
 *   <li>{@code status}: the number, or {@code UNKNOWN} without a response
 *   <li>{@code outcome}: {@code SUCCESS}, {@code REDIRECTION}, {@code CLIENT_ERROR}, {@code SERVER_ERROR}, or {@code
 *       UNKNOWN}
 * </ul>
 *
 * <p>The timer remains in the registry after the end of the server. All methods are safe for use by any thread.
 */
public final class HttpRequestTimer implements Consumer<HttpAccess> {

    private static final String UNKNOWN = "UNKNOWN";
    private static final int NOT_FOUND = 404;

    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT");

    private final MeterRegistry registry;
    private final Tags tags;
    private final Meter.MeterProvider<Timer> timers;

    private HttpRequestTimer(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
        timers = Timer.builder("http.server.requests")
                .description("Time from the head of a request to the end of its response")
                .tags(tags)
                .publishPercentileHistogram()
                .withRegistry(registry);
    }

    /** Returns a timer in this registry. */
    public static HttpRequestTimer of(MeterRegistry registry) {
        return new HttpRequestTimer(Objects.requireNonNull(registry, "registry"), Tags.empty());
    }

    /**
     * Adds tags, for instance the name of the server. All timers of this name in a registry of Prometheus must have the
     * same keys of tags, including Spring's.
     */
    public HttpRequestTimer tags(Iterable<? extends Tag> more) {
        return new HttpRequestTimer(registry, tags.and(more));
    }

    /** Records a request that has ended. Called by the server. */
    @Override
    public void accept(HttpAccess request) {
        timers.withTags(Tags.of(
                        "method", method(request),
                        "uri", uri(request),
                        "status", request.status() == 0 ? UNKNOWN : Integer.toString(request.status()),
                        "outcome", Outcome.forStatus(request.status()).name()))
                .record(request.took());
    }

    /** The client may send any method, but a route with a path has only the methods that the program has added. */
    private static String method(HttpAccess request) {
        boolean isLimited = !request.route().isEmpty() || METHODS.contains(request.method());
        return isLimited ? request.method() : UNKNOWN;
    }

    private static String uri(HttpAccess request) {
        if (!request.route().isEmpty()) {
            return request.route();
        }
        return request.status() == NOT_FOUND ? "NOT_FOUND" : UNKNOWN;
    }
}
