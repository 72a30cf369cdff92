package io.fibry.examples;

import io.fibry.ActorSystem;
import io.fibry.codec.RecordCodec;
import io.fibry.durable.DurableEntities;
import io.fibry.durable.DurableOptions;
import io.fibry.durable.EventLog;
import io.fibry.examples.bank.Account;
import io.fibry.examples.bank.Account.Command;
import io.fibry.examples.bank.Account.Event;
import io.fibry.examples.bank.Account.Reply;
import io.fibry.examples.bank.AccountBehavior;
import io.fibry.examples.bank.Books;
import io.fibry.examples.bank.Customer;
import io.fibry.examples.bank.Database;
import io.fibry.examples.bank.Report;
import io.fibry.examples.bank.Statement;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.topic.Topic;
import io.fibry.topic.TopicOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Durable entities: ten accounts with stored events, and customers who transfer money. A business day takes a second.
 * At its end, the bank closes its books, and compares them with a report: it fails if money was lost or made. Kill the
 * program and start it again: it continues, whatever moment it was killed at. The arguments are an H2 file, by default
 * {@code target/bank}, or the JDBC URL of a PostgreSQL database; and the seconds between two statements of an account,
 * by default 10.
 * {@code mvn -q -pl examples -am compile exec:exec -Dexample=Bank -Dargs="/tmp/bank 10"}
 */
public final class Bank {

    private static final List<String> OWNERS =
            List.of("Ann", "Bob", "Cem", "Dora", "Eve", "Finn", "Gia", "Hal", "Ida", "Jon");

    private static final long FIRST_DEPOSIT = 1_000_00;
    private static final Duration DAY = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final DurableEntities<Command, Reply> accounts;
    private final Report report;

    private Bank(DurableEntities<Command, Reply> accounts, Report report) {
        this.accounts = accounts;
        this.report = report;
    }

    public static void main(String[] args) throws Exception {
        String location = args.length > 0 ? args[0] : "target/bank";
        Duration month = Duration.ofSeconds(args.length > 1 ? Long.parseLong(args[1]) : 10);
        try (var database = Database.open(location);
                Topic<Statement> statements = Stereotypes.fibers().topic(TopicOptions.defaults());
                var printer = ActorSystem.defaultSystem().actor().newActor((Statement statement) -> print(statement))) {
            statements.subscribe(printer);
            var log = EventLog.of(
                            database.store(),
                            Account.TYPE,
                            RecordCodec.of(Event.class),
                            owner -> new AccountBehavior(owner, month))
                    .snapshots(100, RecordCodec.of(Account.class));
            var options = DurableOptions.defaults().topic(Statement.TOPIC, statements);
            try (var accounts = DurableEntities.start(log, options);
                    var report = Report.start(database.pool(), log)) {
                new Bank(accounts, report).run();
            }
        }
    }

    private static void print(Statement statement) {
        System.out.printf(
                "Statement %d of %s: %s after %d transfers to others and %d from others%n",
                statement.number(),
                statement.owner(),
                euros(statement.cents()),
                statement.sent(),
                statement.received());
    }

    private void run() throws Exception {
        for (String owner : OWNERS) {
            accounts.ref(owner).ask(new Command.Open(FIRST_DEPOSIT), TIMEOUT).join();
        }
        Books books = closeBooks();
        System.out.printf(
                "Process %d begins with %d transfers; all accounts together have %s%n",
                ProcessHandle.current().pid(), books.sent(), euros(books.cents()));
        for (int day = 1; ; day++) {
            doBusiness();
            books = closeBooks();
            System.out.printf(
                    "Day %d: %d transfers, %d refused; all accounts together have %s%n",
                    day, books.sent(), books.orders() - books.sent(), euros(books.cents()));
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

    private static String euros(long cents) {
        return String.format("%d.%02d", cents / 100, cents % 100);
    }
}
