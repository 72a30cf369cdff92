package io.fibry.cluster.pekko.harness;

import io.fibry.codec.RecordCodec;
import io.fibry.durable.Change;
import io.fibry.durable.Durable;
import io.fibry.durable.DurableType;
import io.fibry.durable.JdbcStore;
import io.fibry.durable.StateTable;

/** Like {@link Counter}, with a durable count. */
final class DurableCounter implements Durable<DurableCounter.Count, Message, Reply> {

    record Count(long value) {}

    private final String node;
    private final String key;
    private final Journal journal;
    private final long instance;

    private DurableCounter(String node, String key, Journal journal, long instance) {
        this.node = node;
        this.key = key;
        this.journal = journal;
        this.instance = instance;
    }

    static StateTable<Count, Message, Reply> table(
            String node, Journal journal, JdbcStore store, DurableType<Message, Reply> type) {
        return StateTable.of(
                store,
                type,
                RecordCodec.of(Count.class),
                key -> new DurableCounter(node, key, journal, journal.begin(key)));
    }

    @Override
    public void onEnd() {
        journal.end(instance, key);
    }

    @Override
    public Count initial() {
        return new Count(0);
    }

    @Override
    public Change<Count, Reply> handle(Count count, Message message) throws InterruptedException {
        journal.handler(Entry.Kind.HANDLE, instance, message);
        Thread.sleep(message.work());
        long next = count.value + 1;
        return Change.to(new Count(next), new Reply(node, instance, next));
    }
}
