package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.codec.CodecException;
import io.fibry.codec.RecordCodec;
import io.fibry.durable.Change;
import io.fibry.durable.Durable;
import io.fibry.durable.JdbcStateStore;
import io.fibry.stereotypes.Stereotypes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

    Balance deposit(Path file) throws Exception {
        try (var store = JdbcStateStore.h2(file);
                var accounts = Stereotypes.fibers()
                        .entities(Durable.entities(store, "account", RecordCodec.of(Account.class), new Accounts()))) {
            return accounts.ref("alice")
                    .ask(new Command.Deposit(10), Duration.ofSeconds(30))
                    .get();
        }
    }

    // @end

    @Test
    void theBalanceSurvives() throws Exception {
        assertEquals(new Balance(10), deposit(directory.resolve("accounts")));
        assertEquals(new Balance(20), deposit(directory.resolve("accounts")));
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
