package io.fibry.examples.bank;

import io.fibry.Asks;
import io.fibry.durable.DurableEntities;
import io.fibry.examples.bank.Account.Command;
import io.fibry.examples.bank.Account.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The sums over all accounts.
 *
 * @param cents the balances
 * @param orders the transfers that customers have ordered, including the refused ones
 * @param sent the transfers that have left an account
 * @param received the transfers that have arrived
 */
public record Books(long cents, long orders, long sent, long received) {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /**
     * Closes the books: waits until all transfers have arrived, and checks that no money was lost or made. No customer
     * orders transfers meanwhile.
     *
     * @throws IllegalStateException if the books are wrong
     */
    public static Books close(DurableEntities<Command, Reply> accounts, List<String> owners, long expected)
            throws InterruptedException {
        Instant deadline = Instant.now().plus(TIMEOUT);
        Books books = of(accounts, owners);
        while (books.received < books.sent && Instant.now().isBefore(deadline)) {
            Thread.sleep(10); // a stored message has no reply to wait for
            books = of(accounts, owners);
        }
        if (books.received != books.sent) {
            throw new IllegalStateException("Transfers were lost or repeated: " + books);
        }
        if (books.cents != expected) {
            throw new IllegalStateException("The balances have the sum " + books.cents + ", not " + expected);
        }
        return books;
    }

    private static Books of(DurableEntities<Command, Reply> accounts, List<String> owners) {
        var asks = owners.stream()
                .map(owner -> accounts.ref(owner).ask(new Command.Show(), TIMEOUT))
                .toList();
        return Asks.all(asks, TIMEOUT).join().stream()
                .map(Reply::account)
                .map(account -> new Books(account.cents(), account.orders(), account.sent(), account.received()))
                .reduce(new Books(0, 0, 0, 0), Books::plus);
    }

    private Books plus(Books more) {
        return new Books(cents + more.cents, orders + more.orders, sent + more.sent, received + more.received);
    }
}
