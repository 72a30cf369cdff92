package io.fibry.observer;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.http.HttpOptions;
import io.fibry.http.HttpServerActor;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A page for browsers that shows what the actors of a system do, while they do it: numbers and rates, the busiest and the fullest,
 * failures and dead letters as they come, circles of waiting actors, servers, the tree of actors, and each actor with its stack.
 *
 * <p>Nothing is looked at while no page is open. All open pages share one look, which takes as long as a dump: see
 * {@link ActorSystem#dump}. Only the failures and dead letters are always noted, the last 50 of them, without their messages.
 *
 * <p><b>Safety.</b> The page shows names, types, texts of exceptions and stacks. So it is on the loopback address by default, and
 * every user of the machine may look at it. Requests with a foreign {@code Host} are refused. The page can change nothing, unless
 * {@link ObserverOptions#controlToken} is set.
 */
public final class Observer {

    private Observer() {}

    /**
     * Starts the server of the page. It listens when this method returns. Its own actors are left out of what the page shows.
     *
     * @param name the server's name in its system, or null for none
     * @param port the port, or 0 for any free one, which {@link HttpServerActor#port()} returns
     * @throws IllegalArgumentException if the port is out of range
     * @throws java.io.UncheckedIOException if the server cannot listen on the port
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    public static HttpServerActor start(
            ActorSystem system, ThreadStrategy strategy, @Nullable String name, int port, ObserverOptions options) {
        Objects.requireNonNull(options, "options");
        var incidents = new IncidentLog();
        AutoCloseable registration = system.onIncident(incidents);
        Optional<HttpServerActor> started = Optional.empty();
        try {
            var own = new AtomicReference<>("");
            var feed = new Feed(system, own::get, incidents, options);
            var pages = new Pages(system, feed, options, own::get);
            HttpServerActor server = HttpServerActor.start(system, strategy, name, port, pages.routes(), http(options));
            own.set(server.name());
            started = Optional.of(server);
            return server.closeOnExit(registration, pages::end);
        } finally {
            if (started.isEmpty()) {
                Quietly.close(registration);
            }
        }
    }

    /** The other limits stay as they are by default, because the first server of a JVM sets some of them for all. */
    private static HttpOptions http(ObserverOptions options) {
        return HttpOptions.defaults()
                .bindAddress(options.bindAddress())
                .maxRequests(64)
                .tls(options.tls());
    }
}
