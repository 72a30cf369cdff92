package io.fibry.durable.crash;

import io.fibry.codec.RecordCodec;
import io.fibry.durable.Change;
import io.fibry.durable.Durable;
import io.fibry.durable.DurableType;
import io.fibry.durable.JdbcStore;
import io.fibry.durable.StateTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the transfers of some accounts, and remembers each message that is lost, repeated or in the wrong order. A
 * reminder, which each transfer replaces, reports the last count.
 */
record Tally(String key) implements Durable<Tally.Counts, Tally.Message, Tally.Counts> {

    private static final Duration QUIET = Duration.ofMillis(1500);

    static final DurableType<Message, Counts> TYPE =
            DurableType.of("tally", RecordCodec.of(Message.class), RecordCodec.of(Counts.class));

    sealed interface Message {

        /** The n-th transfer of an account. */
        record Add(String from, long number) implements Message {}

        /** No further transfer has arrived since this count. */
        record Report(long count) implements Message {}

        record Read() implements Message {}
    }

    /**
     * The state.
     *
     * @param last the number of the last transfer by account
     * @param reported the last reported count
     */
    record Counts(long count, Map<String, Long> last, long reported, List<String> faults) {

        Counts with(String fault) {
            var all = new ArrayList<>(faults);
            all.add(fault);
            return new Counts(count, last, reported, all);
        }
    }

    static StateTable<Counts, Message, Counts> table(JdbcStore store) {
        return StateTable.of(store, TYPE, RecordCodec.of(Counts.class), Tally::new);
    }

    /** The tally of an account. */
    static String of(String account) {
        return account.compareTo("a2") < 0 ? "t0" : "t1";
    }

    @Override
    public Counts initial() {
        return new Counts(0, Map.of(), 0, List.of());
    }

    @Override
    public Change<Counts, Counts> handle(Counts counts, Message message) {
        return switch (message) {
            case Message.Add add -> added(counts, add);
            case Message.Report report -> {
                Counts after = reported(counts, report.count);
                yield Change.to(after, after);
            }
            case Message.Read read -> Change.none(counts);
        };
    }

    private Change<Counts, Counts> added(Counts before, Message.Add add) {
        var last = new TreeMap<>(before.last);
        Long previous = last.put(add.from, add.number);
        long count = before.count + 1;
        var after = new Counts(count, last, before.reported, before.faults);
        if (add.number != (previous == null ? 0 : previous) + 1) {
            after = after.with(add + " after " + previous);
        }
        return Change.to(after, after)
                .with(
                        TYPE.remind("report", QUIET, new Message.Report(count)),
                        Accounts.TYPE.send(add.from, new Accounts.Command.Note(key, add.number)));
    }

    private static Counts reported(Counts before, long count) {
        var after = new Counts(before.count, before.last, count, before.faults);
        return count == before.count && count > before.reported
                ? after
                : after.with("report of " + count + " after " + before.reported + ", the count is " + before.count);
    }
}
