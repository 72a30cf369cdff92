package io.fibry.cluster.pekko.harness;

import io.fibry.entity.EntityBehavior;

/** The entity of the tests. It counts its messages, and records its events in the journal. */
final class Counter implements EntityBehavior<Message, Reply> {

    private final String node;
    private final String key;
    private final Journal journal;
    private final long instance;
    private long count;

    Counter(String node, String key, Journal journal) {
        this.node = node;
        this.key = key;
        this.journal = journal;
        instance = journal.begin(key);
    }

    @Override
    public Reply handle(Message message) throws InterruptedException {
        journal.handler(Entry.Kind.HANDLE, instance, message);
        if (message.work() > 0) {
            try {
                Thread.sleep(message.work());
            } catch (InterruptedException e) {
                journal.handler(Entry.Kind.INTERRUPTED, instance, message);
                throw e;
            }
        }
        count++;
        return new Reply(node, instance, count);
    }

    @Override
    public void onEnd() {
        journal.end(instance, key);
    }
}
