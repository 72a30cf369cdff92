package io.fibry.cluster.pekko.harness;

import io.fibry.codec.RecordCodec;
import io.fibry.durable.Decision;
import io.fibry.durable.DurableType;
import io.fibry.durable.EventLog;
import io.fibry.durable.EventSourced;
import io.fibry.durable.JdbcStore;
import java.util.Map;
import java.util.TreeMap;

/** An account that transfers amounts to others by stored messages. */
public record Bank(String key) implements EventSourced<Bank.Account, Bank.Command, Bank.Event, Long> {

    /** The balance of a new account. */
    public static final long INITIAL = 1000;

    /** The reply to a transfer that the balance does not cover. */
    public static final long REFUSED = -1;

    static final DurableType<Command, Long> TYPE =
            DurableType.of("account", RecordCodec.of(Command.class), RecordCodec.of(Long.class));

    /** A message to an account, which replies with its balance. */
    public sealed interface Command {

        record Transfer(String id, String to, long amount) implements Command {}

        record Deposit(String id, String from, long number, long amount) implements Command {}

        record Balance() implements Command {}
    }

    /** An event. The numbers count the transfers of a sender to a receiver. */
    public sealed interface Event {

        record Withdrawn(String id, String to, long number, long amount) implements Event {}

        record Deposited(String id, String from, long number, long amount) implements Event {}
    }

    /**
     * The state.
     *
     * @param sent the number of transfers by receiver
     */
    public record Account(long balance, Map<String, Long> sent) {}

    /** Returns the log of all accounts. */
    public static EventLog<Account, Command, Event, Long> log(JdbcStore store) {
        return EventLog.of(store, TYPE, RecordCodec.of(Event.class), Bank::new)
                .snapshots(20, RecordCodec.of(Account.class));
    }

    /** Returns the key of an account. */
    public static String account(int number) {
        return "a" + number;
    }

    @Override
    public Account initial() {
        return new Account(INITIAL, Map.of());
    }

    @Override
    public Decision<Event, Long> decide(Account account, Command command) {
        return switch (command) {
            case Command.Transfer transfer when transfer.amount > account.balance -> Decision.none(REFUSED);
            case Command.Transfer transfer -> {
                long number = account.sent.getOrDefault(transfer.to, 0L) + 1;
                yield Decision.<Event, Long>to(
                                new Event.Withdrawn(transfer.id, transfer.to, number, transfer.amount),
                                account.balance - transfer.amount)
                        .with(TYPE.send(transfer.to, new Command.Deposit(transfer.id, key, number, transfer.amount)));
            }
            case Command.Deposit deposit ->
                Decision.to(
                        new Event.Deposited(deposit.id, deposit.from, deposit.number, deposit.amount),
                        account.balance + deposit.amount);
            case Command.Balance balance -> Decision.none(account.balance);
        };
    }

    @Override
    public Account apply(Account account, Event event) {
        return switch (event) {
            case Event.Withdrawn withdrawn -> {
                var sent = new TreeMap<>(account.sent);
                sent.merge(withdrawn.to, 1L, Long::sum);
                yield new Account(account.balance - withdrawn.amount, sent);
            }
            case Event.Deposited deposited -> new Account(account.balance + deposited.amount, account.sent);
        };
    }
}
