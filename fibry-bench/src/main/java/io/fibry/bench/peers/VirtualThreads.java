package io.fibry.bench.peers;

import java.time.Duration;
import java.util.concurrent.LinkedTransferQueue;
import java.util.function.Supplier;

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

    /** Returns a virtual thread that sleeps between the ticks, and omits those whose time has passed. */
    @Override
    public Object periodicActor(Duration period, Supplier<Receiver> behavior) {
        return Thread.startVirtualThread(() -> {
            Receiver receiver = behavior.get();
            long nanos = period.toNanos();
            for (long due = System.nanoTime() + nanos; sleptUntil(due); due = next(due, nanos)) {
                receiver.accept("tick");
            }
        });
    }

    private static boolean sleptUntil(long due) {
        try {
            Thread.sleep(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
            return true;
        } catch (InterruptedException e) {
            return false; // it has been stopped
        }
    }

    private static long next(long due, long period) {
        return due + (Math.max(0, System.nanoTime() - due) / period + 1) * period;
    }

    @Override
    public void tell(Object actor, Object message) {
        ((LinkedTransferQueue<Object>) actor).add(message);
    }

    @Override
    public void stop(Object actor) {
        if (actor instanceof Thread periodic) {
            periodic.interrupt();
        } else {
            tell(actor, STOP);
        }
    }
}
