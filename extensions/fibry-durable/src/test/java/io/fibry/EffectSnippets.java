package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.codec.RecordCodec;
import io.fibry.durable.Change;
import io.fibry.durable.Durable;
import io.fibry.durable.DurableEntities;
import io.fibry.durable.DurableOptions;
import io.fibry.durable.DurableRef;
import io.fibry.durable.DurableTopic;
import io.fibry.durable.DurableType;
import io.fibry.durable.Effect;
import io.fibry.durable.JdbcStore;
import io.fibry.durable.StateTable;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.topic.Topic;
import io.fibry.topic.TopicOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code in the Javadoc of effects of durable entities, compiled and run. */
@Timeout(60)
class EffectSnippets {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final JdbcDataSource database = new JdbcDataSource();

    @BeforeEach
    void createSchema() throws SQLException {
        System.setProperty("h2.bindAddress", "127.0.0.1"); // for the stores of other tests, before H2 reads it
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        JdbcStore.createSchema(database);
    }

    // @start region="type"
    sealed interface AccountCommand {
        record Deposit(long cents) implements AccountCommand {}

        record Transfer(long cents, String to) implements AccountCommand {}

        record CloseIfEmpty() implements AccountCommand {}
    }

    static final DurableType<AccountCommand, Boolean> ACCOUNT =
            DurableType.of("account", RecordCodec.of(AccountCommand.class), RecordCodec.of(Boolean.class));

    // @end

    record Account(long cents) {}

    // @start region="topic"
    static final DurableTopic<Long> LARGE = DurableTopic.of("large", RecordCodec.of(Long.class));

    static DurableOptions options(Topic<Long> topic) {
        return DurableOptions.defaults().topic(LARGE, topic);
    }

    // @end

    // @start region="effects"
    static class Accounts implements Durable<Account, AccountCommand, Boolean> {

        @Override
        public Account initial() {
            return new Account(0);
        }

        @Override
        public Change<Account, Boolean> handle(Account account, AccountCommand command) {
            return switch (command) {
                case AccountCommand.Deposit deposit ->
                    Change.to(new Account(account.cents + deposit.cents()), true)
                            .with(Effect.cancel("close"));
                case AccountCommand.Transfer transfer when transfer.cents() > account.cents -> Change.none(false);
                case AccountCommand.Transfer transfer -> transferred(account, transfer);
                case AccountCommand.CloseIfEmpty close -> Change.none(account.cents == 0);
            };
        }

        private Change<Account, Boolean> transferred(Account account, AccountCommand.Transfer transfer) {
            var left = new Account(account.cents - transfer.cents());
            var change = Change.to(left, true)
                    .with(ACCOUNT.send(transfer.to(), new AccountCommand.Deposit(transfer.cents())));
            if (left.cents == 0) {
                change = change.with(ACCOUNT.remind("close", Duration.ofDays(30), new AccountCommand.CloseIfEmpty()));
            }
            return transfer.cents() < 1_000_000 ? change : change.with(LARGE.publish(transfer.cents()));
        }
    }

    // @end

    private static DurableEntities<AccountCommand, Boolean> start(JdbcStore store, Topic<Long> topic) {
        var table = StateTable.of(store, ACCOUNT, RecordCodec.of(Account.class), new Accounts());
        return DurableEntities.start(table, options(topic));
    }

    @Test
    void aTransferArrives() throws Exception {
        BlockingQueue<Long> large = new LinkedBlockingQueue<>();
        try (var store = JdbcStore.of(database);
                var topic = Stereotypes.fibers().<Long>topic(TopicOptions.defaults());
                var accounts = start(store, topic)) {
            topic.subscribe(ActorSystem.defaultSystem().actor().newActor((Long cents) -> large.add(cents)));
            DurableRef<AccountCommand, Boolean> alice = accounts.ref("alice");
            alice.tell(new AccountCommand.Deposit(2_000_000));
            assertTrue(payOnce(alice));
            assertEquals(1_500_000, large.take());
            DurableRef<AccountCommand, Boolean> bob = accounts.ref("bob");
            while (!bob.ask(new AccountCommand.Transfer(1_500_000, "carol"), TIMEOUT)
                    .get()) {
                Thread.onSpinWait(); // until the deposit has arrived
            }
        }
    }

    // @start region="once"
    boolean payOnce(DurableRef<AccountCommand, Boolean> alice) throws Exception {
        var payment = new AccountCommand.Transfer(1_500_000, "bob");
        String requestKey = UUID.randomUUID().toString();
        while (true) {
            try {
                return alice.ask(payment, requestKey, Duration.ofSeconds(5)).get();
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof TimeoutException)) {
                    throw e;
                }
            }
        }
    }

    // @end

    // @start region="transaction"
    void welcome(DataSource database, String customer) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try (var insert = connection.prepareStatement("INSERT INTO customer (name) VALUES (?)")) {
                insert.setString(1, customer);
                insert.executeUpdate();
            }
            DurableEntities.send(connection, ACCOUNT, customer, new AccountCommand.Deposit(10_00));
            connection.commit();
        }
    }

    // @end

    @Test
    void aMessageOfATransaction() throws Exception {
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE customer (name VARCHAR(100))");
        }
        try (var store = JdbcStore.of(database);
                var topic = Stereotypes.fibers().<Long>topic(TopicOptions.defaults());
                var accounts = start(store, topic)) {
            welcome(database, "alice");
            DurableRef<AccountCommand, Boolean> alice = accounts.ref("alice");
            assertFalse(alice.ask(new AccountCommand.Transfer(10_01, "bob"), TIMEOUT)
                    .get());
            while (!alice.ask(new AccountCommand.Transfer(10_00, "bob"), TIMEOUT)
                    .get()) {
                Thread.onSpinWait(); // until the deposit has arrived
            }
        }
    }
}
