package io.fibry.bench.durable;

import io.fibry.bench.durable.Account.Deposited;
import io.fibry.codec.RecordCodec;
import io.fibry.durable.Decision;
import io.fibry.durable.DurableEntities;
import io.fibry.durable.DurableType;
import io.fibry.durable.EventLog;
import io.fibry.durable.EventSourced;
import io.fibry.durable.Projection.Projector;
import io.fibry.durable.RunningProjection;
import io.fibry.entity.Entities;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Event-sourced entities of this library, with its defaults. */
final class FibryAccounts implements Accounts {

    private static final Duration TIMEOUT = Duration.ofSeconds(PATIENCE);

    /** Deposits several times; 0 times asks for the balance. */
    private record Deposit(int times) {}

    private static final DurableType<Deposit, Long> ACCOUNT =
            DurableType.of("account", RecordCodec.of(Deposit.class), RecordCodec.of(Long.class));

    private static final class Behavior implements EventSourced<Account, Deposit, Deposited, Long> {

        @Override
        public Account initial() {
            return Account.EMPTY;
        }

        @Override
        public Decision<Deposited, Long> decide(Account account, Deposit deposit) {
            return new Decision<>(
                    Collections.nCopies(deposit.times(), Deposited.ONE), account.balance() + deposit.times());
        }

        @Override
        public Account apply(Account account, Deposited deposited) {
            return account.after(deposited);
        }
    }

    private final FibryStore opened;
    private final EventLog<Account, Deposit, Deposited, Long> log;
    private final Set<String> keys = ConcurrentHashMap.newKeySet();
    private volatile Entities<String, Deposit, Long> entities;

    private FibryAccounts(FibryStore opened, int snapshots) {
        this.opened = opened;
        var events = EventLog.of(opened.store(), ACCOUNT, Account.EVENTS, new Behavior());
        log = snapshots == 0 ? events : events.snapshots(snapshots, Account.STATES);
        entities = begin();
    }

    static FibryAccounts open(Storage storage) throws SQLException {
        return new FibryAccounts(FibryStore.open(storage.database()), storage.snapshots());
    }

    private Entities<String, Deposit, Long> begin() {
        return DurableEntities.start(log);
    }

    @Override
    public long deposit(String key, int times) {
        keys.add(key);
        return entities.ref(key).ask(new Deposit(times), TIMEOUT).join();
    }

    @Override
    public long balance(String key) {
        return entities.ref(key).ask(new Deposit(0), TIMEOUT).join();
    }

    @Override
    public void forget() {
        entities.close();
        entities = begin();
    }

    @Override
    public long events() {
        long events = 0;
        for (String key : keys) {
            try (Stream<?> history = log.history(key)) {
                events += history.count();
            }
        }
        return events;
    }

    @Override
    public Projection.Running project(Projection projection) throws Exception {
        return project((connection, event) -> projection.handle(connection, List.of(event.key())))::close;
    }

    RunningProjection project(Projector<Deposited> projector) throws Exception {
        return io.fibry.durable.Projection.of("projected", log, projector).start();
    }

    @Override
    public void close() {
        entities.close();
        opened.close();
    }
}
