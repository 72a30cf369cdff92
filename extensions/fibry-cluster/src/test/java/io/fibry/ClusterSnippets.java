package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.ClusterSystem;
import io.fibry.cluster.Codec;
import io.fibry.cluster.CodecException;
import io.fibry.cluster.Discovery;
import io.fibry.cluster.RecordCodec;
import io.fibry.cluster.state.Change;
import io.fibry.cluster.state.Durable;
import io.fibry.cluster.state.JdbcStateStore;
import io.fibry.entity.Entities;
import io.fibry.entity.EntityBehavior;
import io.fibry.stereotypes.Stereotypes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The code in the Javadoc of the cluster, compiled and, where one machine is enough, run. */
@Timeout(60)
class ClusterSnippets {

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

    // Not run here: no module that runs clusters is on the class path.
    // @start region="discovery"
    ClusterOptions podOf(String address) {
        return ClusterOptions.of("shop", address, 7001, Discovery.dns("nodes.shop.svc", 7001, 3));
    }

    ClusterOptions nodeWith(DataSource database, String address) {
        return ClusterOptions.of("shop", address, 7001, Discovery.database(database));
    }

    // @end

    // @start region="join"
    void node(String host, DataSource database) throws Exception {
        var options = ClusterOptions.of("shop", host, 7001, "10.0.0.1:7001", "10.0.0.2:7001", "10.0.0.3:7001")
                .insecure(true); // only for a network that is closed to others
        try (var store = JdbcStateStore.of(database);
                var cluster = ClusterSystem.join(options)) {
            Entities<String, Command, Balance> accounts = cluster.entities(
                    "account",
                    RecordCodec.of(Command.class),
                    RecordCodec.of(Balance.class),
                    Durable.entities(store, "account", RecordCodec.of(Account.class), new Accounts()));
            accounts.ref("alice")
                    .ask(new Command.Deposit(10), Duration.ofSeconds(5))
                    .join();
            cluster.removed().join(); // serves until it is stopped
        }
    }

    // @end

    // Not run here, either.
    // @start region="singleton"
    record Clean() {}

    static class Cleaner implements EntityBehavior<Clean, Void> {
        private final Actor<Clean> timer;

        Cleaner(ClusterSystem cluster, ActorRef<Clean, Void> self) {
            timer = cluster.system().actor().newActorFrom(context -> {
                context.every(Duration.ofMinutes(1), new Clean());
                return self::tell;
            });
        }

        @Override
        public Void handle(Clean message) {
            // delete old records, on one node of the cluster
            return null;
        }

        @Override
        public void onEnd() {
            timer.stop();
        }
    }

    void cleaner(ClusterSystem cluster) {
        cluster.singleton("cleaner", RecordCodec.of(Clean.class), Codec.none(), self -> new Cleaner(cluster, self));
    }

    // @end

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
