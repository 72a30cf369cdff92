package io.fibry.examples.auction;

/**
 * The state of the sale of a lot.
 *
 * @param price the highest bid so far; 0 if there is none
 * @param bidder the bidder of this bid; empty if there is none
 */
public record Sale(String lot, int price, String bidder, boolean isClosed) {

    static Sale of(String lot) {
        return new Sale(lot, 0, "", false);
    }

    Sale bid(String bidder, int amount) {
        return new Sale(lot, amount, bidder, false);
    }

    Sale close() {
        return new Sale(lot, price, bidder, true);
    }

    @Override
    public String toString() {
        String state = isClosed ? (bidder.isEmpty() ? "not sold" : "sold") : "open";
        return bidder.isEmpty() ? lot + ": " + state : lot + ": " + state + " to " + bidder + " for " + price;
    }
}
