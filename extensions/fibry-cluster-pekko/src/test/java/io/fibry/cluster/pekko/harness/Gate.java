package io.fibry.cluster.pekko.harness;

import io.fibry.cluster.pekko.harness.Proxy.State;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The state of the bytes that one node sends to another. All their connections check it before each write. */
final class Gate {

    /** The delay of each write of a slow link. */
    private static final Duration DELAY = Duration.ofMillis(50);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final LongAdder bytes = new LongAdder();

    /** Guarded by the lock. */
    private State state = State.OPEN;

    void set(State next) {
        lock.lock();
        try {
            state = next;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (next == State.CUT) {
            links.forEach(Link::close);
        }
    }

    /**
     * Registers a connection before it checks the state: a cut closes the registered connections, and later ones see it
     * here.
     */
    boolean enter(Link link) throws InterruptedException {
        links.add(link);
        return awaitOpen();
    }

    void leave(Link link) {
        links.remove(link);
    }

    /** Waits while bytes are held. Returns whether they may pass; if not, the connection must be closed. */
    boolean awaitOpen() throws InterruptedException {
        State current = awaitNotHeld();
        if (current == State.SLOW) {
            Thread.sleep(DELAY);
        }
        return current != State.CUT;
    }

    private State awaitNotHeld() throws InterruptedException {
        lock.lock();
        try {
            while (state == State.HELD) {
                changed.await();
            }
            return state;
        } finally {
            lock.unlock();
        }
    }

    void count(int more) {
        bytes.add(more);
    }

    long bytes() {
        return bytes.sum();
    }
}
