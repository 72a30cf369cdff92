package io.fibry.bench.peers;

import java.util.concurrent.LinkedTransferQueue;
import java.util.function.Consumer;

/** No library: an actor is a virtual thread that takes its messages from a {@link LinkedTransferQueue}. */
@SuppressWarnings("unchecked")
final class VirtualThreads extends RepliesByFuture {

    private static final Object STOP = new Object();

    private static Object start(Thread.Builder thread, Consumer<Object> behavior) {
        var mailbox = new LinkedTransferQueue<Object>();
        thread.start(() -> receive(mailbox, behavior));
        return mailbox;
    }

    private static void receive(LinkedTransferQueue<Object> mailbox, Consumer<Object> behavior) {
        try {
            for (Object message = mailbox.take(); message != STOP; message = mailbox.take()) {
                behavior.accept(message);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Object actor(Consumer<Object> behavior) {
        return start(Thread.ofVirtual(), behavior);
    }

    @Override
    public Object namedActor(String name, Consumer<Object> behavior) {
        return start(Thread.ofVirtual().name(name), behavior);
    }

    @Override
    public void tell(Object actor, Object message) {
        ((LinkedTransferQueue<Object>) actor).add(message);
    }

    @Override
    public void stop(Object actor) {
        tell(actor, STOP);
    }

    @Override
    public void close() {
        // nothing is shared
    }
}
