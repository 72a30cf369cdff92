package io.fibry.bench.durable;

import io.fibry.bench.latency.Finding;
import io.fibry.bench.latency.Latencies;
import java.time.Duration;
import java.util.List;

/**
 * Reads accounts from the database, one after the other: the last snapshot, and the events after it. Each balance is
 * checked.
 */
final class Recoveries {

    private final Accounts accounts;
    private final int number;
    private final int events;

    /**
     * Creates a measurement of a number of accounts, which have the storage of {@link #storage}.
     *
     * @param events the number of events after the snapshot
     */
    Recoveries(Accounts accounts, int number, int events) {
        this.accounts = accounts;
        this.number = number;
        this.events = events;
    }

    /** Returns the storage of accounts that get a snapshot and then this number of events. */
    static Storage storage(Database database, int events) {
        return new Storage(database, events + 1, false);
    }

    /** Returns the latencies from a question for the balance to the reply, after a warm-up of half the time. */
    List<Finding> latency(Duration time) throws Exception {
        for (int i = 0; i < number; i++) {
            accounts.deposit(Accounts.KEY + i, events + 1); // with a snapshot
            accounts.deposit(Accounts.KEY + i, events);
        }
        read(time.dividedBy(2));
        Latencies latencies = read(time);
        Load.expect("the number of events", number * balance(), accounts.events());
        return latencies.findings("");
    }

    private long balance() {
        return 2L * events + 1;
    }

    private Latencies read(Duration time) throws Exception {
        var latencies = new Latencies();
        long begin = System.nanoTime();
        do {
            accounts.forget();
            for (int i = 0; i < number; i++) {
                long start = System.nanoTime();
                long balance = accounts.balance(Accounts.KEY + i);
                latencies.record(start);
                Load.expect("the balance of an account", balance(), balance);
            }
        } while (System.nanoTime() - begin < time.toNanos());
        return latencies;
    }
}
