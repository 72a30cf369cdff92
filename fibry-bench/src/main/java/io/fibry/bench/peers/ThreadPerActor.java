package io.fibry.bench.peers;

/** A peer whose actors are virtual threads, each with a queue from which it takes its messages. */
abstract class ThreadPerActor extends RepliesByFuture {

    /** Creates an unbounded queue, which represents the actor. */
    abstract Object mailbox();

    /** Handles the messages of a mailbox until the actor is stopped. */
    abstract void receive(Object mailbox, Receiver behavior) throws InterruptedException;

    private Object start(Thread.Builder thread, Receiver behavior) {
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
    public final Object actor(Receiver behavior) {
        return start(Thread.ofVirtual(), behavior);
    }

    @Override
    public final Object namedActor(String name, Receiver behavior) {
        return start(Thread.ofVirtual().name(name), behavior);
    }

    @Override
    public final void close() {
        // nothing is shared
    }
}
