package io.fibry.flow;

import io.fibry.dispatch.Control;
import io.fibry.dispatch.LogText;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A subscription and its demand. One actor serves it and sends all signals, which makes them serial. The actor waits
 * here for demand.
 *
 * <p><b>No lost wake-up.</b> The serving actor waits on a condition of the lock, and every state that ends the wait is
 * written under the lock before the signal.
 *
 * <p>The rules are from the specification of Reactive Streams for the JVM, version 1.0.4.
 */
final class Outlet<T> implements Flow.Subscription {

    private static final Logger LOG = LoggerFactory.getLogger(Outlet.class);

    private final Runnable release;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock
    private Flow.@Nullable Subscriber<? super T> subscriber; // null when no more signals may follow
    private long demand;
    private @Nullable IllegalArgumentException invalid;

    private boolean begun; // the server only

    /**
     * Creates an outlet that has not started.
     *
     * @param release frees the source and wakes the serving actor; called when the subscription ends early
     */
    Outlet(Flow.Subscriber<? super T> subscriber, Runnable release) {
        this.subscriber = Objects.requireNonNull(subscriber, "subscriber");
        this.release = release;
    }

    // ---- called by the subscriber, from any thread

    @Override
    public void request(long n) {
        if (!admits(n)) {
            release.run();
        }
    }

    /** Returns false if the request is invalid, which ends the subscription. */
    private boolean admits(long n) {
        lock.lock();
        try {
            if (n > 0) {
                demand = demand + n < 0 ? Long.MAX_VALUE : demand + n;
            } else if (subscriber != null && invalid == null) {
                invalid = new IllegalArgumentException(
                        "a subscriber must request at least 1 item, not " + n + " (rule 3.9)");
            }
            changed.signal();
            return invalid == null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void cancel() {
        if (takeSubscriber() != null) {
            release.run();
        }
    }

    /** Takes the subscriber. Only the caller that receives it may send the last signal. */
    private Flow.@Nullable Subscriber<? super T> takeSubscriber() {
        lock.lock();
        try {
            Flow.Subscriber<? super T> s = subscriber;
            subscriber = null;
            changed.signal();
            return s;
        } finally {
            lock.unlock();
        }
    }

    // ---- called by the server

    /** The first signal. */
    void begin() {
        Flow.Subscriber<? super T> s = present();
        begun = true;
        if (s != null) {
            call(() -> s.onSubscribe(this));
        }
    }

    /** Waits for demand and sends the item. Returns false if the subscription has ended. */
    boolean send(T item) throws InterruptedException {
        Flow.Subscriber<? super T> s = awaitDemand();
        return s != null && call(() -> s.onNext(item));
    }

    private Flow.@Nullable Subscriber<? super T> awaitDemand() throws InterruptedException {
        lock.lock();
        try {
            while (subscriber != null && invalid == null && demand == 0) {
                awaitChange();
            }
            if (subscriber == null || invalid != null) {
                return null;
            }
            if (demand < Long.MAX_VALUE) {
                demand--;
            }
            return subscriber;
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // the caller has the loop
    private void awaitChange() throws InterruptedException {
        Control control = Control.ofCurrentThread();
        if (control == null) {
            changed.await();
            return;
        }
        control.awaitUnlocked(
                lock, () -> subscriber == null || invalid != null || demand > 0, "the demand of a subscriber");
    }

    /**
     * Sends the last signal, unless the subscription has ended. If the subscription has not begun, sends the first
     * signal before it (rule 1.9): a subscription may be refused, or stopped before the first turn of its server.
     *
     * @param failure the cause, or null for completion
     */
    void end(@Nullable Throwable failure) {
        Flow.Subscriber<? super T> s = takeSubscriber();
        if (s != null) {
            Throwable refusal = invalid();
            Throwable t = refusal == null ? failure : refusal;
            if (begun || call(() -> s.onSubscribe(this))) { // calls of this subscription have no effect any more
                call(t == null ? s::onComplete : () -> s.onError(t));
            }
        }
    }

    private Flow.@Nullable Subscriber<? super T> present() {
        lock.lock();
        try {
            return subscriber;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Throwable invalid() {
        lock.lock();
        try {
            return invalid;
        } finally {
            lock.unlock();
        }
    }

    /** A subscriber must not throw. If it does, its subscription is cancelled (rule 2.13). */
    private boolean call(Runnable signal) {
        try {
            signal.run();
            return true;
        } catch (Throwable t) {
            LOG.error("A Flow.Subscriber has thrown, so its subscription is cancelled", LogText.plainTrace(t));
            cancel();
            return false;
        }
    }
}
