package io.fibry.examples;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.SystemOptions;
import io.fibry.examples.auction.House;
import io.fibry.examples.auction.Sale;
import io.fibry.stereotypes.Stereotypes;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * An auction house that combines several stereotypes: each lot is an entity, a worker pool checks the bids, a topic
 * publishes the changes, a timetable closes the lots, and a page shows them and accepts bids. Some bidders are built
 * in. The arguments are the port of the page and the seconds until the lots are closed.
 * {@code mvn -q -pl examples -am compile exec:exec -Dexample=AuctionHouse -Dargs="8080 60"}
 */
public final class AuctionHouse {

    private static final List<String> LOTS = List.of("a clock", "a globe", "an oil lamp");

    private AuctionHouse() {}

    public static void main(String[] args) {
        int port = args.length > 0 ? Integer.parseInt(args[0]) : 8080;
        int seconds = args.length > 1 ? Integer.parseInt(args[1]) : 60;
        try (var system = ActorSystem.create(SystemOptions.defaults().name("auction"));
                var house = new House(system, port, LOTS, Duration.ofSeconds(seconds))) {
            System.out.println("Open http://localhost:" + house.port() + "/ in a browser, and bid.");
            house.news().subscribe(system.actor("crier").newActor(System.out::println));
            for (String bidder : List.of("Ada", "Ben", "Cleo")) {
                bids(system, house, bidder);
            }
            house.awaitClosed();
        }
    }

    /** A bidder who slightly exceeds the price, three times per second. */
    private static void bids(ActorSystem system, House house, String bidder) {
        var random = new Random(bidder.hashCode());
        Actor<Void> unused = Stereotypes.def()
                .in(system)
                .named(bidder)
                .schedule(
                        () -> {
                            Sale sale = house.sales().get(random.nextInt(LOTS.size()));
                            house.bid(sale.lot(), bidder, sale.price() + 1 + random.nextInt(5))
                                    .join();
                        },
                        Duration.ofMillis(300));
    }
}
