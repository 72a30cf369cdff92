package io.fibry.observer;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.fibry.ActorSystem;
import io.fibry.http.EventStream;
import io.fibry.http.HttpParameters;
import io.fibry.http.HttpReply;
import io.fibry.http.HttpRoutes;
import io.fibry.http.ReplyHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The routes of the page. Everything that comes from actors is sent as JSON, and the script shows it as text; so nothing of it is
 * ever parsed as HTML. If it were, the policy in the headers would not let it run or load anything.
 */
final class Pages {

    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
            + " img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    private static final HttpReply FOREIGN = new HttpReply(421, "text/plain; charset=utf-8", """
        This name is not one of the page's. Open it by localhost or by its address, or add the name to
        ObserverOptions.allowedHosts.
        """);

    private final ActorSystem system;
    private final Feed feed;
    private final ObserverOptions options;
    private final HostCheck hosts;

    Pages(ActorSystem system, Feed feed, ObserverOptions options) {
        this.system = system;
        this.feed = feed;
        this.options = options;
        this.hosts = new HostCheck(options.allowedHosts());
    }

    HttpRoutes routes() {
        HttpReply actorPage = resource("actor.html", "text/html");
        HttpRoutes routes = HttpRoutes.none()
                .check(this::check)
                .reply("GET", "/", always(resource("index.html", "text/html")))
                .reply("GET", "/actors/{id}", exchange -> actorPage)
                .reply("GET", "/observer.css", always(resource("observer.css", "text/css")))
                .reply("GET", "/observer.js", always(resource("observer.js", "text/javascript")))
                .reply("GET", "/icon.svg", always(resource("icon.svg", "image/svg+xml")))
                .events("/events", this::overview)
                .events("/actors/{id}/events", this::actor);
        String token = options.controlToken();
        return token == null ? routes : routes.reply("POST", "/actors/{id}/stop", new Control(system, token)::stop);
    }

    private static ReplyHandler always(HttpReply reply) {
        return exchange -> reply;
    }

    private static HttpReply resource(String name, String type) {
        try (InputStream in = Objects.requireNonNull(Pages.class.getResourceAsStream(name), name)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return new HttpReply(200, type + (type.startsWith("text") ? "; charset=utf-8" : ""), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of all requests, those that lead nowhere included. */
    private @Nullable HttpReply check(HttpExchange exchange) {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Security-Policy", POLICY);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        headers.set("Cache-Control", "no-store");
        return hosts.accepts(exchange) ? null : FOREIGN;
    }

    private void overview(EventStream events) throws IOException, InterruptedException {
        feed.open(null);
        try {
            long incidents = 0;
            long shown = 0;
            do {
                Feed.Look look = feed.look();
                long latest = feed.incidents().last();
                for (String incident : feed.incidents().after(incidents)) {
                    events.send("incident", null, incident);
                }
                incidents = latest;
                if (look.number() != shown) {
                    events.send("overview", null, look.overview());
                }
                shown = look.number();
            } while (events.pause(feed.pause()));
        } finally {
            feed.close(null);
        }
    }

    private void actor(EventStream events) throws IOException, InterruptedException {
        String id = HttpParameters.ofPath(events.exchange()).get("id");
        feed.open(id);
        try {
            long shown = 0;
            do {
                Feed.Look look = feed.look();
                if (look.number() != shown && look.ids().contains(id)) {
                    String actor = look.actors().get(id);
                    events.send(actor == null ? "gone" : "actor", null, actor == null ? "{}" : actor);
                }
                shown = look.number();
            } while (events.pause(feed.pause()));
        } finally {
            feed.close(id);
        }
    }
}
