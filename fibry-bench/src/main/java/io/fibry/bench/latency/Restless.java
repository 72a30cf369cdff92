package io.fibry.bench.latency;

import io.fibry.bench.peers.Peer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** An actor that is always busy: for each handled message, it sends itself another one, until it is halted. */
final class Restless {

    /** The number of messages that always wait in its mailbox. */
    private static final int WAITING = 100;

    private final Peer peer;
    private final Runnable work;
    private final Object self;
    private final AtomicLong handled = new AtomicLong(); // one writer, the actor
    private final CompletableFuture<Long> end = new CompletableFuture<>();
    private long waiting = WAITING;
    private long sent = WAITING;
    private volatile boolean halted;

    /** Creates an actor that executes this task for each message. */
    Restless(Peer peer, Runnable work) {
        this.peer = peer;
        this.work = work;
        self = peer.actor(this::handle);
    }

    void start() {
        for (int i = 0; i < WAITING; i++) {
            peer.tell(self, "again");
        }
    }

    private void handle(Object message) {
        handled.lazySet(handled.getPlain() + 1);
        if (!halted) {
            work.run();
            sent++;
            peer.tell(self, message);
        } else if (--waiting == 0) {
            end.complete(sent);
        }
    }

    long handled() {
        return handled.get();
    }

    /**
     * Halts the actor, waits until its mailbox is empty, and stops it.
     *
     * @throws IllegalStateException if it has not handled each message exactly once
     */
    void halt() {
        halted = true;
        long all = end.orTimeout(1, TimeUnit.MINUTES).join();
        peer.stop(self);
        if (all != handled()) {
            throw new IllegalStateException(handled() + " were handled instead of " + all);
        }
    }
}
