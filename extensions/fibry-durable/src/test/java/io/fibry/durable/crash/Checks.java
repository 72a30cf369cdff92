package io.fibry.durable.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.durable.Recorded;
import io.fibry.durable.crash.Accounts.Account;
import io.fibry.durable.crash.Accounts.Command;
import io.fibry.durable.crash.Accounts.Event;
import io.fibry.durable.crash.Accounts.Published;
import io.fibry.durable.crash.Client.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** Checks the stored data after a {@link CrashRun}, in a process that has loaded it. */
final class Checks {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final CrashRun run;
    private final Program program;
    private final Map<String, List<Recorded<Event>>> histories = new TreeMap<>();

    /** The states according to the histories. */
    private final Map<String, Account> accounts = new TreeMap<>();

    Checks(CrashRun run, Program program) {
        this.run = run;
        this.program = program;
        for (String key : CrashRun.accounts()) {
            List<Recorded<Event>> history = program.log.history(key).toList();
            histories.put(key, history);
            var behavior = new Accounts(key, () -> false);
            Account account = behavior.initial();
            for (Recorded<Event> recorded : history) {
                account = behavior.apply(account, recorded.event());
            }
            accounts.put(key, account);
        }
    }

    void check() throws Exception {
        statesAreThoseOfTheEvents();
        theSumIsConstant();
        run.requests.forEach(this::anAskIsAppliedOnce);
        run.requests.forEach(this::outcomesAreTrue);
        messagesArriveOnceAndInOrder();
        for (String key : histories.keySet()) {
            run.checkProjected(key, histories.get(key).size());
            remindersFireOnce(key);
            publicationsAreInOrder(key);
        }
        talliesAreComplete();
    }

    private static <T extends Event> List<T> select(List<Recorded<Event>> history, Class<T> type) {
        return history.stream()
                .map(Recorded::event)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    private void statesAreThoseOfTheEvents() throws Exception {
        for (String key : accounts.keySet()) {
            long balance = run.await(program.accounts.ref(key).ask(new Command.Balance(), TIMEOUT));
            assertEquals(accounts.get(key).balance(), balance, () -> "the balance of " + key);
        }
    }

    private void theSumIsConstant() {
        long sum = accounts.values().stream().mapToLong(Account::balance).sum();
        assertEquals(accounts.size() * Accounts.INITIAL + 100L * run.deposits, sum, "the sum of all balances");
    }

    /** At most once if the client has given up. All replies are of the same execution. */
    private void anAskIsAppliedOnce(Request request) {
        long balance = Accounts.INITIAL;
        List<Long> applied = new ArrayList<>();
        for (Recorded<Event> recorded : histories.get(request.key())) {
            if (recorded.event() instanceof Event.Withdrawn e) {
                balance -= e.amount();
                if (e.id().equals(request.transfer().id())) {
                    applied.add(balance);
                }
            } else if (recorded.event() instanceof Event.Deposited e) {
                balance += e.amount();
            }
        }
        List<Long> replies = request.replies().stream().distinct().toList();
        assertTrue(applied.size() <= 1, () -> request + " is applied " + applied.size() + " times");
        if (!replies.isEmpty()) {
            List<Long> expected = applied.isEmpty() ? List.of(Accounts.REFUSED) : applied;
            assertEquals(expected, replies, () -> "the replies to " + request);
        }
    }

    /** The outcomes of asks without a request key. */
    private void outcomesAreTrue(Request request) {
        List<String> stored = select(histories.get(request.key()), Event.Marked.class).stream()
                .map(Event.Marked::id)
                .toList();
        request.marks().forEach((id, outcome) -> {
            int times = Collections.frequency(stored, id);
            boolean isTrue = switch (outcome) {
                case STORED -> times == 1;
                case NOT_STORED -> times == 0;
                case UNKNOWN -> times <= 1;
            };
            assertTrue(isTrue, () -> "the mark " + id + " is " + outcome + ", and stored " + times + " times");
        });
    }

    private static List<Long> upTo(long last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }

    private void messagesArriveOnceAndInOrder() {
        var committed = new ArrayList<Long>();
        histories.forEach((to, history) -> {
            Map<String, List<Long>> arrived = new TreeMap<>();
            for (Event.Deposited e : select(history, Event.Deposited.class)) {
                arrived.computeIfAbsent(e.from(), from -> new ArrayList<>()).add(e.number());
            }
            committed.addAll(arrived.getOrDefault("", List.of()));
            accounts.forEach((from, account) -> assertEquals(
                    upTo(account.sent().getOrDefault(to, 0L)),
                    arrived.getOrDefault(from, List.of()),
                    () -> "deposits from " + from + " to " + to));
            assertEquals(
                    upTo(accounts.get(to).withdrawals()),
                    select(history, Event.Noted.class).stream()
                            .map(Event.Noted::number)
                            .toList(),
                    () -> "notes to " + to);
        });
        assertEquals(upTo(run.deposits), committed.stream().sorted().toList(), "messages of committed transactions");
    }

    private void remindersFireOnce(String key) {
        Event.ReminderSet open = null;
        for (Recorded<Event> recorded : histories.get(key)) {
            switch (recorded.event()) {
                case Event.ReminderSet set -> open = set;
                case Event.ReminderCancelled cancelled -> open = null;
                case Event.Reminded reminded -> {
                    Event.ReminderSet set = open;
                    assertTrue(
                            set != null && set.token() == reminded.token() && set.due() <= reminded.time(),
                            () -> key + " has " + reminded + ", and the open reminder is " + set);
                    open = null;
                }
                default -> {}
            }
        }
        assertEquals(null, open, () -> "a reminder of " + key + " has not fired");
    }

    /** Apart from repetitions. */
    private void publicationsAreInOrder(String key) {
        var numbers = new LinkedHashSet<Long>();
        run.published.stream()
                .filter(message -> message.from().equals(key))
                .map(Published::number)
                .forEach(numbers::add);
        assertEquals(upTo(accounts.get(key).withdrawals()), List.copyOf(numbers), () -> "publications of " + key);
    }

    private void talliesAreComplete() throws Exception {
        for (String key : List.of("t0", "t1")) {
            Tally.Counts counts = run.await(program.tallies.ref(key).ask(new Tally.Message.Read(), TIMEOUT));
            assertEquals(List.of(), counts.faults(), key);
            Map<String, Long> expected = new TreeMap<>();
            accounts.forEach((account, state) -> {
                if (Tally.of(account).equals(key) && state.withdrawals() > 0) {
                    expected.put(account, state.withdrawals());
                }
            });
            assertEquals(expected, counts.last(), key);
            assertEquals(counts.count(), counts.reported(), () -> "the last report of " + key);
        }
    }
}
