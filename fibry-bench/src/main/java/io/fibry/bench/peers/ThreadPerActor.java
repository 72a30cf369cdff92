package io.fibry.bench.peers;

import java.util.function.Consumer;

/** A peer whose actors are virtual threads, each with a queue from which it takes its messages. */
abstract class ThreadPerActor extends RepliesByFuture {

    /** A queue without bound, which stands for the actor. */
    abstract Object mailbox();

    /** Passes the messages of a mailbox on until the actor is stopped. */
    abstract void receive(Object mailbox, Consumer<Object> behavior) throws InterruptedException;

    private Object start(Thread.Builder thread, Consumer<Object> behavior) {
        Object mailbox = mailbox();
        thread.start(() -> {
            try {
                receive(mailbox, behavior);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        return mailbox;
    }

    @Override
    public final Object actor(Consumer<Object> behavior) {
        return start(Thread.ofVirtual(), behavior);
    }

    @Override
    public final Object namedActor(String name, Consumer<Object> behavior) {
        return start(Thread.ofVirtual().name(name), behavior);
    }

    @Override
    public final void close() {
        // nothing is shared
    }
}
