package io.fibry.examples.auction;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.http.EventStream;
import io.fibry.http.HttpParameters;
import io.fibry.http.HttpReply;
import io.fibry.http.HttpRoutes;
import io.fibry.http.HttpServerActor;
import io.fibry.stereotypes.Stereotypes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;

/** The page of an auction house, with live updates of its lots and a form for bids. */
final class Page {

    private static final int LONGEST_NAME = 20;
    private static final Duration TICK = Duration.ofMillis(50);

    private final House house;
    private final ActorSystem system;

    Page(House house, ActorSystem system) {
        this.house = house;
        this.system = system;
    }

    HttpServerActor open(int port) {
        var routes = HttpRoutes.none()
                .handle("GET", "/", exchange -> resource("/auction.html", "text/html; charset=utf-8"))
                .handle("GET", "/auction.js", exchange -> resource("/auction.js", "text/javascript"))
                .handle(
                        "POST",
                        "/lots/{lot}/bids",
                        exchange -> bid(HttpParameters.ofPath(exchange).get("lot"), HttpParameters.ofQuery(exchange)))
                .events("/sales", this::sales);
        return Stereotypes.def().in(system).named("page").embeddedHttpServer(port, routes);
    }

    private HttpReply bid(String lot, HttpParameters query) {
        String bidder = query.get("bidder");
        if (bidder.isBlank() || bidder.length() > LONGEST_NAME) {
            return HttpReply.text("a name of 1 to " + LONGEST_NAME + " characters")
                    .withStatus(400);
        }
        int amount = query.get("amount", Integer::parseInt);
        return HttpReply.text(house.bid(lot, bidder, amount).join());
    }

    /**
     * Sends all sales, and then each change. A slow browser misses changes, and receives all sales again when it
     * reconnects.
     */
    private void sales(EventStream events) throws IOException, InterruptedException {
        var changes = new ArrayBlockingQueue<Sale>(1_000);
        Actor<Sale> reader = system.actor().label("a page").newActor(changes::offer);
        house.news().subscribe(reader);
        try {
            for (Sale sale : house.sales()) {
                events.send(json(sale));
            }
            do {
                for (Sale change = changes.poll(); change != null; change = changes.poll()) {
                    events.send(json(change));
                }
            } while (events.pause(TICK));
        } finally {
            reader.stop();
        }
    }

    private static String json(Sale sale) {
        return "{\"lot\": " + quoted(sale.lot()) + ", \"price\": " + sale.price() + ", \"bidder\": "
                + quoted(sale.bidder()) + ", \"closed\": " + sale.isClosed() + "}";
    }

    private static String quoted(String text) {
        var quoted = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            if (c < ' ' || c == '"' || c == '\\') {
                quoted.append(String.format("\\u%04x", c));
            } else {
                quoted.appendCodePoint(c);
            }
        });
        return quoted.append('"').toString();
    }

    private static HttpReply resource(String name, String type) throws IOException {
        try (InputStream in = Objects.requireNonNull(Page.class.getResourceAsStream(name), name)) {
            return new HttpReply(200, type, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
