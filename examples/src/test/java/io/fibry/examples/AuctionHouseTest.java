package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.examples.auction.House;
import io.fibry.examples.auction.Sale;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AuctionHouseTest {

    private static final List<String> LOTS = List.of("a \"clock\"", "a globe");

    @Test
    void theHighestBidWins() {
        try (var system = ActorSystem.create();
                var house = new House(system, 0, LOTS, Duration.ofHours(1))) {
            var answers = new ArrayList<CompletableFuture<String>>();
            for (int amount = 1; amount <= 200; amount++) {
                answers.add(house.bid("a globe", "bidder " + amount % 7, 1 + amount * 37 % 200));
            }
            answers.add(house.bid("a globe", "Croesus", 1_000_000));
            answers.add(house.bid("a cloud", "Ada", 1));
            List<String> all = answers.stream().map(CompletableFuture::join).toList();
            assertEquals("no credit", all.get(200));
            assertEquals("no such lot", all.get(201));
            assertTrue(all.contains("accepted") && all.contains("too low"), all.toString());
            assertEquals(200, house.sales().getLast().price());
            assertEquals(0, house.sales().getFirst().price());
        }
    }

    @Test
    void lotsAreClosedInTime() {
        try (var system = ActorSystem.create();
                var house = new House(system, 0, LOTS, Duration.ofMillis(200))) {
            house.awaitClosed();
            assertTrue(house.sales().stream().allMatch(Sale::isClosed));
            assertEquals("too late", house.bid("a globe", "Ada", 1).join());
        }
    }

    @Test
    void thePageShowsAndBids() throws Exception {
        try (var system = ActorSystem.create();
                var house = new House(system, 0, LOTS, Duration.ofHours(1));
                var client = HttpClient.newHttpClient()) {
            String site = "http://localhost:" + house.port();
            assertTrue(get(client, site + "/").body().contains("auction.js"));
            assertTrue(get(client, site + "/auction.js").body().contains("EventSource"));
            HttpResponse<Stream<String>> sales = client.send(
                    HttpRequest.newBuilder(URI.create(site + "/sales")).build(), BodyHandlers.ofLines());
            try (Stream<String> lines = sales.body()) {
                var events = lines.filter(line -> line.startsWith("data:")).iterator();
                assertTrue(events.next().contains("\"a \\u0022clock\\u0022\", \"price\": 0"));
                assertTrue(events.next().contains("\"a globe\""));
                String bid = site + "/lots/a%20globe/bids?bidder=Ada&amount=";
                assertEquals("accepted", post(client, bid + 10).body());
                assertEquals("too low", post(client, bid + 10).body());
                assertEquals(400, post(client, bid + "ten").statusCode());
                assertEquals(400, post(client, bid.replace("Ada", "%20") + 11).statusCode());
                assertTrue(events.next().contains("\"a globe\", \"price\": 10, \"bidder\": \"Ada\""));
            }
        }
    }

    @Test
    void itRuns() throws Exception {
        String output = Output.of(() -> AuctionHouse.main(new String[] {"0", "1"}));
        for (String lot : List.of("a clock: ", "a globe: ", "an oil lamp: ")) {
            assertTrue(output.lines().anyMatch(line -> line.startsWith(lot) && line.contains("sold")), output);
        }
    }

    private static HttpResponse<String> get(HttpClient client, String uri) throws Exception {
        return client.send(HttpRequest.newBuilder(URI.create(uri)).build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> post(HttpClient client, String uri) throws Exception {
        var nothing = HttpRequest.BodyPublishers.noBody();
        return client.send(HttpRequest.newBuilder(URI.create(uri)).POST(nothing).build(), BodyHandlers.ofString());
    }
}
