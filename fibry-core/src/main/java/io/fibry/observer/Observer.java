package io.fibry.observer;

import io.fibry.ActorBuilder;
import io.fibry.ActorSystem;
import io.fibry.http.HttpOptions;
import io.fibry.http.HttpServerActor;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A live page for browsers about the actors of a system: numbers and rates, the busiest actors and the fullest
 * mailboxes, failures and dead letters, cycles of waiting actors, servers and their metrics, the tree of actors, and
 * each actor with its stack.
 *
 * <p>No snapshot is taken while no page is open. All open pages share one snapshot, which is a dump with metrics: see
 * {@link ActorSystem#dump} and {@link ActorSystem#metrics()}. The last 50 failures and dead letters are recorded even
 * while no page is open, without their messages.
 *
 * <p><b>Safety.</b> The page shows names, types, texts of exceptions and stacks. By default, it is on the loopback
 * address, where every user of the machine can read it. Requests with a foreign {@code Host} are refused. The page is
 * read-only unless {@link ObserverOptions#controlToken} is set.
 */
public final class Observer {

    private Observer() {}

    /**
     * Starts the server of the page. It listens when this method returns. The page does not show its own actors.
     *
     * @param builder its strategy is that of the handlers
     * @param port the port, or 0 for any free one, which {@link HttpServerActor#port()} returns
     * @throws IllegalArgumentException if the port is out of range
     * @throws java.io.UncheckedIOException if the server cannot listen on the port
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    public static HttpServerActor start(ActorBuilder<Object> builder, int port, ObserverOptions options) {
        Objects.requireNonNull(options, "options");
        ActorSystem system = builder.system();
        var incidents = new IncidentLog();
        AutoCloseable registration = system.onIncident(incidents);
        Optional<HttpServerActor> started = Optional.empty();
        try {
            var own = new AtomicReference<>("");
            var feed = new SnapshotFeed(system, own::get, incidents, options);
            var pages = new ObserverRoutes(system, feed, options, own::get);
            HttpServerActor server = HttpServerActor.start(builder, port, pages.routes(), http(options));
            own.set(server.name());
            started = Optional.of(server);
            return server.closeOnExit(registration, pages::end);
        } finally {
            if (started.isEmpty()) {
                CloseQuietly.close(registration);
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
