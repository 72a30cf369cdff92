package io.fibry.examples;

import io.fibry.Overflow;
import io.fibry.pool.PoolOptions;
import io.fibry.stereotypes.Stereotypes;
import java.util.Arrays;

/**
 * A worker pool: books amounts on accounts, eight at a time, and the bookings of one account one after the other. The
 * balances therefore need no lock. The argument is the number of bookings, by default 5000.
 * {@code mvn -q -pl examples -am compile exec:exec -Dexample=Bookings -Dargs="5000"}
 */
public final class Bookings {

    private static final int ACCOUNTS = 20;

    private record Booking(int account, int amount) {}

    /** The balances. Each is accessed by the bookings of its account only. */
    private final int[] balances = new int[ACCOUNTS];

    public static void main(String[] args) {
        int bookings = args.length > 0 ? Integer.parseInt(args[0]) : 5_000;
        new Bookings().run(bookings);
    }

    private void run(int bookings) {
        var pool = Stereotypes.def()
                .named("bookings")
                .workerPool(
                        this::book,
                        PoolOptions.of(8).bounded(100, Overflow.BLOCK).keyed(Booking::account));
        for (int i = 0; i < bookings; i++) {
            pool.tell(new Booking(i * 7 % ACCOUNTS, 1)); // waits while 100 bookings are queued
        }
        pool.close();
        System.out.println(pool.stats().done() + " bookings are done, and the balances add up to "
                + Arrays.stream(balances).sum() + ".");
    }

    private void book(Booking booking) throws InterruptedException {
        int balance = balances[booking.account()];
        if (balance % 10 == 0) {
            Thread.sleep(1); // simulates a slow store; another booking could interleave here
        }
        balances[booking.account()] = balance + booking.amount();
    }
}
