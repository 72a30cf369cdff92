package io.fibry.examples.auction;

import io.fibry.ReplyTo;
import io.fibry.entity.EntityBehavior;
import java.util.Map;
import java.util.function.Consumer;

/** An entity: the sale of one lot. It handles one bid at a time, so the highest one wins without a lock. */
final class Lot implements EntityBehavior<Lot.Message> {

    sealed interface Message {}

    record Bid(String bidder, int amount, ReplyTo<String> asker) implements Message {}

    record Close(ReplyTo<Sale> asker) implements Message {}

    private final Map<String, Sale> ledger;
    private final Consumer<Sale> news;
    private Sale sale;

    /** Loads the sale, if there is one: the entity ends when it has been idle for a while, and begins anew with the next bid. */
    Lot(String lot, Map<String, Sale> ledger, Consumer<Sale> news) {
        this.ledger = ledger;
        this.news = news;
        sale = ledger.getOrDefault(lot, Sale.of(lot));
    }

    @Override
    public void handle(Message message) {
        switch (message) {
            case Bid(String bidder, int amount, ReplyTo<String> asker) -> asker.reply(answer(bidder, amount));
            case Close(ReplyTo<Sale> asker) -> {
                change(sale.close());
                asker.reply(sale);
            }
        }
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

    /** Written at once, and not only at the end of the entity: a bid that was accepted must survive a crash. */
    private void change(Sale changed) {
        sale = changed;
        ledger.put(changed.lot(), changed);
        news.accept(changed);
    }
}
