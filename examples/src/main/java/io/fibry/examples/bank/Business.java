package io.fibry.examples.bank;

import io.fibry.durable.DurableEntities;
import io.fibry.examples.bank.Account.Command;
import io.fibry.examples.bank.Account.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The business of the bank: its customers transfer money all day, and in the evening it closes its books. */
public record Business(DurableEntities<Command, Reply> accounts, Report report) {

    private static final List<String> OWNERS =
            List.of("Ann", "Bob", "Cem", "Dora", "Eve", "Finn", "Gia", "Hal", "Ida", "Jon");

    private static final long FIRST_DEPOSIT = 1_000_00;
    private static final Duration DAY = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** Opens the accounts unless they are open, and runs until the process ends. */
    public void run() throws Exception {
        for (String owner : OWNERS) {
            accounts.ref(owner).ask(new Command.Open(FIRST_DEPOSIT), TIMEOUT).join();
        }
        Books books = closeBooks();
        System.out.printf(
                "Process %d begins with %d transfers; all accounts together have %s%n",
                ProcessHandle.current().pid(), books.sent(), Account.euros(books.cents()));
        for (int day = 1; ; day++) {
            doBusiness();
            books = closeBooks();
            System.out.printf(
                    "Day %d: %d transfers, %d refused; all accounts together have %s%n",
                    day, books.sent(), books.orders() - books.sent(), Account.euros(books.cents()));
        }
    }

    private Books closeBooks() throws Exception {
        Books books = Books.close(accounts, OWNERS, OWNERS.size() * FIRST_DEPOSIT);
        report.check(books);
        return books;
    }

    /** All customers order transfers at the same time, for a day. */
    private void doBusiness() throws Exception {
        Instant evening = Instant.now().plus(DAY);
        var customers = new ArrayList<Future<?>>();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (String owner : OWNERS) {
                var others =
                        OWNERS.stream().filter(other -> !other.equals(owner)).toList();
                var customer = new Customer(accounts.ref(owner), others);
                customers.add(executor.submit(() -> {
                    customer.transferUntil(evening);
                    return null;
                }));
            }
        }
        for (Future<?> customer : customers) {
            customer.get();
        }
    }
}
