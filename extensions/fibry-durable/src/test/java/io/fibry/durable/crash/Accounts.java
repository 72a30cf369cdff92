package io.fibry.durable.crash;

import io.fibry.codec.RecordCodec;
import io.fibry.dispatch.Time;
import io.fibry.durable.Decision;
import io.fibry.durable.DurableTopic;
import io.fibry.durable.DurableType;
import io.fibry.durable.Effect;
import io.fibry.durable.EventLog;
import io.fibry.durable.EventSourced;
import io.fibry.durable.JdbcStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * An account whose events record every effect, so that the history shows lost and repeated ones.
 *
 * @param fails whether a message of another entity cannot be handled now
 */
record Accounts(String key, BooleanSupplier fails)
        implements EventSourced<Accounts.Account, Accounts.Command, Accounts.Event, Long> {

    static final long INITIAL = 1000;

    /** The reply to a transfer that the balance does not cover. */
    static final long REFUSED = -1;

    static final RecordCodec<Event> EVENTS = RecordCodec.of(Event.class);
    static final RecordCodec<Account> STATES = RecordCodec.of(Account.class);
    static final DurableType<Command, Long> TYPE =
            DurableType.of("account", RecordCodec.of(Command.class), RecordCodec.of(Long.class));

    static final DurableTopic<Published> TOPIC = DurableTopic.of("published", RecordCodec.of(Published.class));

    private static final String REMINDER = "reminder";

    sealed interface Command {

        /** Moves an amount to another account, or to the same one. */
        record Transfer(String id, String to, long amount, Timer timer, long delay) implements Command {}

        record Deposit(String id, String from, long number, long amount) implements Command {}

        record Remind(long token, long delay) implements Command {}

        /** A message of a tally. */
        record Note(String from, long number) implements Command {}

        /** Changes nothing else, so that its event is the only part of the change. */
        record Mark(String id) implements Command {}

        record Balance() implements Command {}
    }

    /** The effect of a transfer on the reminder of its account. */
    enum Timer {
        NONE,
        SET_AFTER,
        SET_AT,
        CANCEL
    }

    sealed interface Event {

        record Withdrawn(String id, String to, long number, long amount) implements Event {}

        record Deposited(String id, String from, long number, long amount) implements Event {}

        record ReminderSet(long token, long due) implements Event {}

        record ReminderCancelled() implements Event {}

        record Reminded(long token, long time) implements Event {}

        record Noted(String from, long number) implements Event {}

        record Marked(String id) implements Event {}
    }

    /**
     * The state.
     *
     * @param sent the number of transfers by receiver
     * @param withdrawals the number of all transfers
     * @param token the number of the last reminder
     */
    record Account(long balance, Map<String, Long> sent, long withdrawals, long token) {}

    /** A message to the topic. */
    record Published(String from, long number) {}

    static EventLog<Account, Command, Event, Long> log(JdbcStore store, BooleanSupplier fails) {
        return EventLog.of(store, TYPE, EVENTS, key -> new Accounts(key, fails)).snapshots(5, STATES);
    }

    @Override
    public Account initial() {
        return new Account(INITIAL, Map.of(), 0, 0);
    }

    @Override
    public Decision<Event, Long> decide(Account account, Command command) {
        return switch (command) {
            case Command.Transfer transfer when transfer.amount > account.balance -> Decision.none(REFUSED);
            case Command.Transfer transfer -> transferred(account, transfer);
            case Command.Deposit deposit when fails.getAsBoolean() -> throw new IllegalStateException("fails");
            case Command.Deposit deposit ->
                Decision.to(
                        new Event.Deposited(deposit.id, deposit.from, deposit.number, deposit.amount),
                        account.balance + deposit.amount);
            case Command.Remind remind -> reminded(account, remind);
            case Command.Note note -> Decision.to(new Event.Noted(note.from, note.number), account.balance);
            case Command.Mark mark -> Decision.to(new Event.Marked(mark.id), account.balance);
            case Command.Balance balance -> Decision.none(account.balance);
        };
    }

    private Decision<Event, Long> transferred(Account account, Command.Transfer transfer) {
        long number = account.sent.getOrDefault(transfer.to, 0L) + 1;
        long all = account.withdrawals + 1;
        Decision<Event, Long> decision = Decision.to(
                new Event.Withdrawn(transfer.id, transfer.to, number, transfer.amount),
                account.balance - transfer.amount);
        return timed(decision, account, transfer.timer, transfer.delay)
                .with(
                        TYPE.send(transfer.to, new Command.Deposit(transfer.id, key, number, transfer.amount)),
                        Tally.TYPE.send(Tally.of(key), new Tally.Message.Add(key, all)),
                        TOPIC.publish(new Published(key, all)));
    }

    private Decision<Event, Long> timed(Decision<Event, Long> decision, Account account, Timer timer, long delay) {
        long token = account.token + 1;
        var remind = new Command.Remind(token, delay);
        Instant due = Time.now().plusMillis(delay);
        Event set = new Event.ReminderSet(token, due.toEpochMilli());
        return switch (timer) {
            case NONE -> decision;
            case SET_AFTER -> and(decision, set).with(TYPE.remind(REMINDER, Duration.ofMillis(delay), remind));
            case SET_AT -> and(decision, set).with(TYPE.remind(REMINDER, due, remind));
            case CANCEL -> and(decision, new Event.ReminderCancelled()).with(Effect.cancel(REMINDER));
        };
    }

    private static Decision<Event, Long> and(Decision<Event, Long> decision, Event event) {
        return new Decision<>(List.of(decision.events().getFirst(), event), decision.reply());
    }

    /** Some reminders set the next one. */
    private Decision<Event, Long> reminded(Account account, Command.Remind remind) {
        Decision<Event, Long> decision =
                Decision.to(new Event.Reminded(remind.token, Time.now().toEpochMilli()), account.balance);
        return remind.delay % 3 == 0 ? timed(decision, account, Timer.SET_AFTER, remind.delay + 1) : decision;
    }

    @Override
    public Account apply(Account account, Event event) {
        return switch (event) {
            case Event.Withdrawn e -> {
                var sent = new TreeMap<>(account.sent);
                sent.merge(e.to, 1L, Long::sum);
                yield new Account(account.balance - e.amount, sent, account.withdrawals + 1, account.token);
            }
            case Event.Deposited e ->
                new Account(account.balance + e.amount, account.sent, account.withdrawals, account.token);
            case Event.ReminderSet e -> new Account(account.balance, account.sent, account.withdrawals, e.token);
            default -> account;
        };
    }
}
