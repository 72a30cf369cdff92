package io.fibry.examples.bank;

import io.fibry.durable.DurableRef;
import io.fibry.examples.bank.Account.Command;
import io.fibry.examples.bank.Account.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A client of the bank, who transfers money from one account. Only this client orders transfers from it.
 *
 * @param others the owners of the other accounts
 */
public record Customer(DurableRef<Command, Reply> account, List<String> others) {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int ATTEMPTS = 10;

    /** Orders transfers, one after the other, until this time. */
    public void transferUntil(Instant end) throws InterruptedException {
        long orders = account.ask(new Command.Show(), TIMEOUT).join().account().orders();
        while (Instant.now().isBefore(end)) {
            orders++;
            order(orders);
        }
    }

    /**
     * Orders a transfer with the number of the order as the request key. One order of ten is repeated, as if its reply
     * had been lost: it is executed once nevertheless, and has the same reply.
     */
    private void order(long number) throws InterruptedException {
        var random = ThreadLocalRandom.current();
        String to = others.get(random.nextInt(others.size()));
        var order = new Command.Transfer(to, random.nextLong(1, 100_00));
        Reply reply = ask(order, "order-" + number);
        if (reply.account().orders() != number) {
            throw new IllegalStateException(account + " has executed another order than " + number + ": " + reply);
        }
        if (random.nextInt(10) == 0 && !ask(order, "order-" + number).equals(reply)) {
            throw new IllegalStateException(account + " has executed order " + number + " twice");
        }
    }

    /** Repeats a failed ask: its request key makes this safe. */
    private Reply ask(Command command, String requestKey) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return account.ask(command, requestKey, TIMEOUT).join();
            } catch (CompletionException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                System.out.println("An order has an unknown outcome, and is repeated: " + e.getCause());
                Thread.sleep(1_000);
            }
        }
    }
}
