package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.codec.CodecException;
import io.fibry.codec.RecordCodec;
import io.fibry.durable.Change;
import io.fibry.durable.Decision;
import io.fibry.durable.Durable;
import io.fibry.durable.DurableEntities;
import io.fibry.durable.DurableType;
import io.fibry.durable.EventLog;
import io.fibry.durable.EventSourced;
import io.fibry.durable.JdbcStore;
import io.fibry.durable.Projection;
import io.fibry.durable.Recorded;
import io.fibry.durable.RunningProjection;
import io.fibry.durable.StateTable;
import io.fibry.durable.Transactions;
import io.fibry.stereotypes.Stereotypes;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The code in the Javadoc of durable entities and of codecs, compiled and run. */
@Timeout(60)
class DurableSnippets {

    @TempDir
    Path directory;

    // @start region="durable"
    record Account(long balance) {}

    sealed interface Command {
        record Deposit(long amount) implements Command {}

        record Withdraw(long amount) implements Command {}

        record GetBalance() implements Command {}
    }

    record Balance(long amount) {}

    static final DurableType<Command, Balance> ACCOUNT =
            DurableType.of("account", RecordCodec.of(Command.class), RecordCodec.of(Balance.class));

    static class Accounts implements Durable<Account, Command, Balance> {
        @Override
        public Account initial() {
            return new Account(0);
        }

        @Override
        public Change<Account, Balance> handle(Account account, Command command) {
            return switch (command) {
                case Command.Deposit deposit -> changed(account.balance() + deposit.amount());
                case Command.Withdraw withdraw -> {
                    if (withdraw.amount() > account.balance()) {
                        throw new IllegalArgumentException("only " + account.balance() + " left");
                    }
                    yield changed(account.balance() - withdraw.amount());
                }
                case Command.GetBalance get -> Change.none(new Balance(account.balance()));
            };
        }

        private static Change<Account, Balance> changed(long balance) {
            return Change.to(new Account(balance), new Balance(balance));
        }
    }

    // @start region="states"
    Balance deposit(Path file) throws Exception {
        try (var store = JdbcStore.h2(file);
                var accounts = DurableEntities.start(
                        StateTable.of(store, ACCOUNT, RecordCodec.of(Account.class), new Accounts()))) {
            return accounts.ref("alice")
                    .ask(new Command.Deposit(10), Duration.ofSeconds(30))
                    .get();
        }
    }

    // @end
    // @end

    @Test
    void theBalanceSurvives() throws Exception {
        assertEquals(new Balance(10), deposit(directory.resolve("accounts")));
        assertEquals(new Balance(20), deposit(directory.resolve("accounts")));
    }

    // @start region="events"
    sealed interface AccountEvent {
        record Deposited(long amount) implements AccountEvent {}

        record Withdrawn(long amount) implements AccountEvent {}
    }

    static class Ledger implements EventSourced<Account, Command, AccountEvent, Balance> {
        @Override
        public Account initial() {
            return new Account(0);
        }

        @Override
        public Decision<AccountEvent, Balance> decide(Account account, Command command) {
            return switch (command) {
                case Command.Deposit deposit -> decided(account, new AccountEvent.Deposited(deposit.amount()));
                case Command.Withdraw withdraw -> {
                    if (withdraw.amount() > account.balance()) {
                        throw new IllegalArgumentException("only " + account.balance() + " left");
                    }
                    yield decided(account, new AccountEvent.Withdrawn(withdraw.amount()));
                }
                case Command.GetBalance get -> Decision.none(new Balance(account.balance()));
            };
        }

        private Decision<AccountEvent, Balance> decided(Account account, AccountEvent event) {
            return Decision.to(event, new Balance(apply(account, event).balance()));
        }

        @Override
        public Account apply(Account account, AccountEvent event) {
            return switch (event) {
                case AccountEvent.Deposited deposited -> new Account(account.balance() + deposited.amount());
                case AccountEvent.Withdrawn withdrawn -> new Account(account.balance() - withdrawn.amount());
            };
        }
    }

    // @end

    // @start region="log"
    static final DurableType<Command, Balance> LEDGER =
            DurableType.of("ledger", RecordCodec.of(Command.class), RecordCodec.of(Balance.class));

    List<AccountEvent> statement(JdbcStore store) throws Exception {
        var log = EventLog.of(store, LEDGER, RecordCodec.of(AccountEvent.class), new Ledger())
                .snapshots(100, RecordCodec.of(Account.class));
        try (var accounts = DurableEntities.start(log)) {
            accounts.ref("alice")
                    .ask(new Command.Deposit(10), Duration.ofSeconds(30))
                    .get();
        }
        try (Stream<Recorded<AccountEvent>> history = log.history("alice")) {
            return history.map(Recorded::event).toList();
        }
    }

    // @end

    @Test
    void theHistoryHasAllEvents() throws Exception {
        try (var store = JdbcStore.h2(directory.resolve("ledger"))) {
            var deposited = new AccountEvent.Deposited(10);
            assertEquals(List.of(deposited), statement(store));
            assertEquals(List.of(deposited, deposited), statement(store));
        }
    }

    // @start region="commit"
    void place(DataSource dataSource, ActorRef<String, ?> shipping, String order) throws Exception {
        Transactions.run(dataSource, connection -> {
            try (var insert = connection.prepareStatement("INSERT INTO orders VALUES (?)")) {
                insert.setString(1, order);
                insert.executeUpdate();
            }
            Transactions.tellAfterCommit(shipping, order); // is not sent if the transaction is rolled back
            return null;
        });
    }

    // @end

    @Test
    void anOrderIsShippedOnlyAfterTheCommit() throws Exception {
        System.setProperty("h2.bindAddress", "127.0.0.1"); // for the stores of other tests, before H2 reads it
        var orders = new JdbcDataSource();
        orders.setURL("jdbc:h2:mem:orders");
        var shipped = new ArrayList<String>();
        try (var connection = orders.getConnection();
                var shipping = Stereotypes.fibers().requestReply((String order) -> shipped.add(order))) {
            connection.createStatement().execute("CREATE TABLE orders (id VARCHAR(10) PRIMARY KEY)");
            place(orders, shipping, "one");
            assertThrows(SQLException.class, () -> place(orders, shipping, "one"));
            place(orders, shipping, "two");
        }
        assertEquals(List.of("one", "two"), shipped);
    }

    // @start region="projection"
    /** Counts the deposits in a table of the same database. */
    static RunningProjection countDeposits(EventLog<?, ?, AccountEvent, ?> log) throws Exception {
        return Projection.of("deposits", log, (connection, recorded) -> {
                    if (recorded.event() instanceof AccountEvent.Deposited) {
                        try (var statement = connection.createStatement()) {
                            statement.executeUpdate("UPDATE deposits SET number = number + 1");
                        }
                    }
                })
                .start();
    }

    // @end

    @Test
    void theProjectionCounts() throws Exception {
        Path file = directory.resolve("projection");
        try (var store = JdbcStore.h2(file);
                var database = DriverManager.getConnection("jdbc:h2:" + file + ";AUTO_SERVER=TRUE", "sa", "");
                var statement = database.createStatement()) {
            statement.execute("CREATE TABLE deposits AS SELECT 0 AS number");
            statement(store);
            var log = EventLog.of(store, LEDGER, RecordCodec.of(AccountEvent.class), new Ledger());
            try (var running = countDeposits(log)) {
                while (running.status().events() == 0) {
                    Thread.onSpinWait();
                }
            }
            try (var rows = statement.executeQuery("SELECT number FROM deposits")) {
                rows.next();
                assertEquals(1, rows.getLong(1));
            }
        }
    }

    // @start region="upcast"
    record Paid(long euros) {} // until the program knew currencies

    record PaidIn(String currency, BigDecimal amount) {}

    static final RecordCodec<PaidIn> PAYMENTS = RecordCodec.of(PaidIn.class)
            .upcast(Paid.class, paid -> new PaidIn("EUR", BigDecimal.valueOf(paid.euros())));

    // @end

    @Test
    void formerPaymentsAreInEuros() {
        byte[] former = RecordCodec.of(Paid.class).encode(new Paid(3));
        assertEquals(new PaidIn("EUR", BigDecimal.valueOf(3)), PAYMENTS.decode(former));
    }

    // @start region="codec"
    sealed interface Order {
        record Place(String customer, List<String> items) implements Order {}

        record Cancel(String reason) implements Order {}
    }

    static final RecordCodec<Order> ORDERS = RecordCodec.of(Order.class).limit(64 * 1024);

    // @end

    @Test
    void ordersAreBytes() {
        var place = new Order.Place("alice", List.of("apples"));
        assertEquals(place, ORDERS.decode(ORDERS.encode(place)));
        byte[] other = RecordCodec.of(Account.class).encode(new Account(1));
        assertThrows(CodecException.class, () -> ORDERS.decode(other));
    }
}
