package io.fibry.observer;

import io.fibry.ActorSystem;
import io.fibry.http.EventStream;
import io.fibry.http.EventStreamHandler;
import io.fibry.http.HttpParameters;
import io.fibry.http.HttpReply;
import io.fibry.http.HttpRoutes;
import io.fibry.http.ReplyHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The routes of the page. Everything that comes from actors is sent as JSON, and the script shows it as text; so
 * nothing of it is ever parsed as HTML. If it were, the policy in the headers would not let it run or load anything.
 */
final class ObserverRoutes {

    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
            + " img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    private static final HttpReply FOREIGN = new HttpReply(421, "text/plain; charset=utf-8", """
        This name is not one of the page's. Open it by localhost or by its address, or add the name to
        ObserverOptions.allowedHosts.
        """);

    private static final List<String> SCRIPTS = List.of(
            "observer.js",
            "overview.js",
            "incidents.js",
            "actor.js",
            "live.js",
            "list.js",
            "tables.js",
            "flow.js",
            "drawing.js",
            "timeline.js");

    /** Where a page has the links to the further pages. */
    private static final String LINKS = "<!-- pages -->";

    private final SnapshotFeed feed;
    private final ActorPages pages;
    private final FlowFeed flow;
    private final Timelines timelines;
    private final HostCheck hosts;
    private final Viewers viewers = new Viewers();
    private final ObserverOptions options;
    private final @Nullable StopControl control;

    ObserverRoutes(ActorSystem system, SnapshotFeed feed, ObserverOptions options, Supplier<String> ownName) {
        this.feed = feed;
        pages = new ActorPages(system, ownName, options);
        timelines = new Timelines(system);
        flow = new FlowFeed(system, ownName, options.interval(), System::nanoTime);
        this.options = options;
        this.hosts = new HostCheck(options.allowedHosts());
        String token = options.controlToken();
        this.control = token == null ? null : new StopControl(system, new TokenCheck(token, System::nanoTime), ownName);
    }

    HttpRoutes routes() {
        HttpReply actorPage = html("actor.html");
        HttpRoutes routes = furtherPages(scripts(HttpRoutes.none()))
                .header("Content-Security-Policy", POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer")
                .header("Cross-Origin-Resource-Policy", "same-origin")
                .header("Cross-Origin-Opener-Policy", "same-origin")
                .header("Cache-Control", "no-store")
                .filter(exchange -> hosts.accepts(exchange) ? null : FOREIGN)
                .handle("GET", "/", always(html("index.html")))
                .handle("GET", "/actors/{id}", exchange -> actorPage)
                .handle("GET", "/observer.css", always(resource("observer.css", "text/css")))
                .handle("GET", "/list", always(html("list.html")))
                .handle("GET", "/list.json", pages::page)
                .handle("GET", "/flow", always(html("flow.html")))
                .events("/flow/events", limited(flow::stream))
                .handle("GET", "/icon.svg", always(resource("icon.svg", "image/svg+xml")))
                .events("/events", limited(this::overview))
                .events("/actors/{id}/events", limited(this::actor));
        return control == null ? routes : routes.handle("POST", "/actors/{id}/stop", control::stop);
    }

    private static HttpRoutes scripts(HttpRoutes to) {
        HttpRoutes routes = to;
        for (String script : SCRIPTS) {
            routes = routes.handle("GET", "/" + script, always(resource(script, "text/javascript")));
        }
        return routes;
    }

    private HttpRoutes furtherPages(HttpRoutes to) {
        HttpRoutes routes = to;
        for (ObserverPage page : options.pages()) {
            var feed = new TablesFeed(page, options.interval(), System::nanoTime);
            routes = routes.handle("GET", page.path(), always(html("tables.html")))
                    .events(page.path() + "/events", limited(feed::stream));
        }
        return routes;
    }

    /** A page with the links to the further pages, whose names and paths have no characters that HTML escapes. */
    private HttpReply html(String name) {
        var links = new StringBuilder();
        for (ObserverPage page : options.pages()) {
            links.append(" <a href=\"")
                    .append(page.path())
                    .append("\">")
                    .append(page.name())
                    .append("</a>");
        }
        return new HttpReply(200, "text/html; charset=utf-8", read(name).replace(LINKS, links));
    }

    /** The server has ended. */
    void end() {
        if (control != null) {
            control.end();
        }
    }

    private static ReplyHandler always(HttpReply reply) {
        return exchange -> reply;
    }

    private static HttpReply resource(String name, String type) {
        return new HttpReply(200, type + (type.startsWith("text") ? "; charset=utf-8" : ""), read(name));
    }

    private static String read(String name) {
        try (InputStream in = Objects.requireNonNull(ObserverRoutes.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private EventStreamHandler limited(EventStreamHandler handler) {
        return events -> {
            InetAddress client = events.exchange().getRemoteAddress().getAddress();
            if (viewers.enter(client, events)) {
                try {
                    handler.handle(events);
                } finally {
                    viewers.leave(client, events);
                }
            }
        };
    }

    private void overview(EventStream events) throws IOException, InterruptedException {
        feed.open(null);
        try {
            long incidents = 0;
            long shown = 0;
            do {
                SnapshotFeed.Snapshot snapshot = feed.snapshot();
                long latest = feed.incidents().last();
                for (String incident : feed.incidents().after(incidents)) {
                    events.send("incident", null, incident);
                }
                incidents = latest;
                if (snapshot.number() != shown) {
                    events.send("overview", null, snapshot.overview());
                }
                shown = snapshot.number();
            } while (events.pause(feed.pause()));
        } finally {
            feed.close(null);
        }
    }

    private void actor(EventStream events) throws IOException, InterruptedException {
        String id = HttpParameters.ofPath(events.exchange()).get("id");
        feed.open(id);
        Timeline timeline = timelines.open(id);
        try {
            long shown = 0;
            long incidents = 0;
            long messages = timeline.start();
            do {
                SnapshotFeed.Snapshot snapshot = feed.snapshot();
                if (snapshot.number() != shown && snapshot.ids().contains(id)) {
                    String actor = snapshot.actors().get(id);
                    if (actor == null) {
                        timeline.release(); // it keeps the actor alive
                        events.send("gone", null, "{}");
                    } else {
                        timeline.attach();
                        events.send("actor", null, actor);
                    }
                    long latest = feed.incidents().last();
                    for (String incident : feed.incidents().after(incidents, id)) {
                        events.send("incident", null, incident);
                    }
                    incidents = latest;
                    Timeline.Messages more = timeline.after(messages);
                    events.send("messages", null, more.json());
                    messages = more.last();
                }
                shown = snapshot.number();
            } while (events.pause(feed.pause()));
        } finally {
            timelines.close(id);
            feed.close(id);
        }
    }
}
