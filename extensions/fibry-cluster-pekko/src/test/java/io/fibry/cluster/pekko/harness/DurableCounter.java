package io.fibry.cluster.pekko.harness;

import io.fibry.ThrowingFunction;
import io.fibry.codec.RecordCodec;
import io.fibry.durable.Change;
import io.fibry.durable.Durable;
import io.fibry.durable.DurableStore;
import io.fibry.entity.EntityBehavior;

/** Like {@link Counter}, with a durable count. */
final class DurableCounter implements Durable<DurableCounter.Count, Message, Reply> {

    record Count(long value) {}

    private final String node;
    private final Journal journal;
    private final long instance;

    private DurableCounter(String node, Journal journal, long instance) {
        this.node = node;
        this.journal = journal;
        this.instance = instance;
    }

    static ThrowingFunction<String, EntityBehavior<Message, Reply>> entities(
            String node, Journal journal, DurableStore store) {
        return key -> {
            long instance = journal.begin(key);
            EntityBehavior<Message, Reply> durable = Durable.entities(
                            store, "counter", RecordCodec.of(Count.class), new DurableCounter(node, journal, instance))
                    .apply(key);
            return new EntityBehavior<>() {
                @Override
                public Reply handle(Message message) throws Exception {
                    return durable.handle(message);
                }

                @Override
                public void onEnd() {
                    journal.end(instance, key);
                }
            };
        };
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
