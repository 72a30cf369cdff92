package io.fibry.examples.auction;

import io.fibry.entity.EntityBehavior;
import java.util.Map;
import java.util.function.Consumer;

/** An entity: the sale of one lot. It handles one bid at a time, so the highest one wins without a lock. */
final class Lot implements EntityBehavior<Lot.Message, String> {

    sealed interface Message {}

    record Bid(String bidder, int amount) implements Message {}

    record Close() implements Message {}

    private final Map<String, Sale> ledger;
    private final Consumer<Sale> news;
    private Sale sale;

    /** Loads the sale, if there is one: the entity ends after an idle time, and starts again with the next bid. */
    Lot(String lot, Map<String, Sale> ledger, Consumer<Sale> news) {
        this.ledger = ledger;
        this.news = news;
        sale = ledger.getOrDefault(lot, Sale.of(lot));
    }

    /** Replies with the outcome of the bid or of the sale. */
    @Override
    public String handle(Message message) {
        return switch (message) {
            case Bid(String bidder, int amount) -> answer(bidder, amount);
            case Close() -> {
                change(sale.close());
                yield sale.toString();
            }
        };
    }

    private String answer(String bidder, int amount) {
        if (sale.isClosed()) {
            return "too late";
        }
        if (amount <= sale.price()) {
            return "too low";
        }
        change(sale.bid(bidder, amount));
        return "accepted";
    }

    /** Saves the sale immediately, not only at the end of the entity: an accepted bid must survive a crash. */
    private void change(Sale changed) {
        sale = changed;
        ledger.put(changed.lot(), changed);
        news.accept(changed);
    }
}
