package io.fibry.bench.peers;

import java.util.concurrent.LinkedTransferQueue;

/** No library: an actor is a virtual thread that takes its messages from a {@link LinkedTransferQueue}. */
@SuppressWarnings("unchecked")
final class VirtualThreads extends ThreadPerActor {

    private static final Object STOP = new Object();

    @Override
    Object mailbox() {
        return new LinkedTransferQueue<>();
    }

    @Override
    void receive(Object mailbox, Receiver behavior) throws InterruptedException {
        var queue = (LinkedTransferQueue<Object>) mailbox;
        for (Object message = queue.take(); message != STOP; message = queue.take()) {
            behavior.accept(message);
        }
    }

    @Override
    public void tell(Object actor, Object message) {
        ((LinkedTransferQueue<Object>) actor).add(message);
    }

    @Override
    public void stop(Object actor) {
        tell(actor, STOP);
    }
}
