package io.fibry.examples.auction;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.entity.EntityOptions;
import io.fibry.entity.LocalEntities;
import io.fibry.http.HttpServerActor;
import io.fibry.pool.PoolOptions;
import io.fibry.pool.WorkerPool;
import io.fibry.schedule.Timetable;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.topic.Topic;
import io.fibry.topic.TopicOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An auction house. A bid goes to the desk, a worker pool that asks the bank, and then to its lot, which is an entity.
 * The lot publishes its changes to a topic, which the page subscribes to. A timetable closes the lots.
 */
public final class House implements AutoCloseable {

    /** A bid at the desk. */
    private record Offer(String lot, String bidder, int amount) {}

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Set<String> lots;
    private final Map<String, Sale> ledger = new ConcurrentHashMap<>(); // a database, elsewhere
    private final Topic<Sale> news;
    private final LocalEntities<String, Lot.Message, String> sales;
    private final WorkerPool<Offer, String> desk;
    private final HttpServerActor page;
    private final Actor<Void> hammer;

    /**
     * Opens the house.
     *
     * @param port the port of the page
     * @param open the time during which bids are accepted
     */
    public House(ActorSystem system, int port, List<String> lots, Duration open) {
        this.lots = Set.copyOf(lots);
        var stereotypes = Stereotypes.def().in(system);
        news = stereotypes.named("news").topic(TopicOptions.defaults());
        EntityOptions idle = EntityOptions.defaults().idleTimeout(Duration.ofMinutes(1));
        sales = stereotypes.named("lots").entities(lot -> new Lot(lot, ledger, news::publish), idle);
        // The bank handles four bids at a time, and the bids of one bidder in order of arrival.
        PoolOptions<Offer> four =
                PoolOptions.of(4).bounded(1_000, Overflow.FAIL).keyed(Offer::bidder);
        desk = stereotypes.named("desk").workerPoolWithReturn(this::examine, four);
        page = new Page(this, system).open(port);
        Instant end = Instant.now().plus(open);
        hammer = stereotypes
                .named("hammer")
                .schedule(
                        () -> lots.forEach(lot ->
                                sales.ref(lot).ask(new Lot.Close(), PATIENCE).join()),
                        Timetable.following(now -> now.isBefore(end) ? end : null));
    }

    /** Called by a worker of the desk. */
    private String examine(Offer offer) throws InterruptedException {
        Thread.sleep(2); // the bank
        if (offer.amount > 1_000) {
            return "no credit";
        }
        return sales.ref(offer.lot)
                .ask(new Lot.Bid(offer.bidder, offer.amount), PATIENCE)
                .join();
    }

    /** Bids for a lot. Replies with the outcome of the bid. */
    public CompletableFuture<String> bid(String lot, String bidder, int amount) {
        return lots.contains(lot)
                ? desk.ask(new Offer(lot, bidder, amount), PATIENCE)
                : CompletableFuture.completedFuture("no such lot");
    }

    /** Returns the current sale of each lot. */
    public List<Sale> sales() {
        return lots.stream()
                .sorted()
                .map(lot -> ledger.getOrDefault(lot, Sale.of(lot)))
                .toList();
    }

    /** Returns the topic of changes of all sales. */
    public Topic<Sale> news() {
        return news;
    }

    /** Waits until all lots are closed. */
    public void awaitClosed() {
        hammer.waitForExit();
    }

    public int port() {
        return page.port();
    }

    /** Refuses further bids, after all received bids are answered. */
    @Override
    public void close() {
        hammer.close();
        page.close();
        desk.close();
        sales.close();
        news.close();
    }
}
