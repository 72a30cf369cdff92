package io.fibry.durable.crash;

import io.fibry.codec.RecordCodec;
import io.fibry.durable.DurableEntities;
import io.fibry.durable.DurableOptions;
import io.fibry.durable.EventLog;
import io.fibry.durable.JdbcStore;
import io.fibry.durable.crash.Accounts.Account;
import io.fibry.durable.crash.Accounts.Command;
import io.fibry.durable.crash.Accounts.Event;
import io.fibry.durable.crash.Accounts.Published;
import io.fibry.test.TestSystem;
import io.fibry.topic.Topic;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A process: a store, and the entities of both types. */
final class Program implements AutoCloseable {

    private static final RecordCodec<Published> PUBLISHED = RecordCodec.of(Published.class);

    final JdbcStore store;
    final EventLog<Account, Command, Event, Long> log;
    final DurableEntities<Command, Long> accounts;
    final DurableEntities<Tally.Message, Tally.Counts> tallies;

    Program(TestSystem test, int number, JdbcStore store, Topic<Published> topic, BooleanSupplier fails) {
        this.store = store;
        log = Accounts.log(store, topic, fails);
        var options = DurableOptions.defaults().topic(topic, PUBLISHED);
        accounts = DurableEntities.start(test.actor("accounts " + number), log, options);
        tallies = DurableEntities.start(test.actor("tallies " + number), Tally.table(store), options);
        CrashRun.accounts().forEach(key -> allowFailures(test, accounts.name() + "/" + key));
        List.of("t0", "t1").forEach(key -> allowFailures(test, tallies.name() + "/" + key));
    }

    /** Rarely, an ask fails after its timeout. */
    private static void allowFailures(TestSystem test, String entity) {
        test.allowFailures(entity, Exception.class);
    }

    @Override
    public void close() {
        accounts.close();
        tallies.close();
    }
}
