package io.fibry.durable;

import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the events of all slices to one subscriber.
 *
 * <p>The lock {@code signals} makes the calls of the subscriber serial. A subscriber may call its subscription inside a
 * signal and by any other thread: the demand has a lock of its own, which is never held during a call.
 */
final class SubscriberDelivery<E> implements Delivery<E>, Flow.Subscription {

    private static final Logger LOG = LoggerFactory.getLogger(Projection.class);

    /** A subscriber that requests events on another thread usually does so soon. */
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final ReentrantLock signals = new ReentrantLock();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock
    private Flow.@Nullable Subscriber<? super Recorded<E>> subscriber; // null when no more signals may follow
    private long demand;
    private boolean hasBegun;
    private @Nullable IllegalArgumentException invalid;
    private Runnable close = () -> {};

    SubscriberDelivery(Flow.Subscriber<? super Recorded<E>> subscriber) {
        this.subscriber = Objects.requireNonNull(subscriber, "subscriber");
    }

    @Override
    public void begin(Runnable closeProjection) {
        Flow.Subscriber<? super Recorded<E>> s;
        lock.lock();
        try {
            if (hasBegun) {
                throw new IllegalStateException("a projection to a subscriber can be started once");
            }
            hasBegun = true;
            close = closeProjection;
            s = Objects.requireNonNull(subscriber);
        } finally {
            lock.unlock();
        }
        signals.lock();
        try {
            s.onSubscribe(this);
        } finally {
            signals.unlock();
        }
    }

    @Override
    public void request(long n) {
        lock.lock();
        try {
            if (n > 0) {
                demand = demand + n < 0 ? Long.MAX_VALUE : demand + n;
                changed.signalAll();
                return;
            }
            if (invalid == null) {
                invalid = new IllegalArgumentException(
                        "a subscriber must request at least 1 item, not " + n + " (rule 3.9)");
            }
        } finally {
            lock.unlock();
        }
        close.run();
    }

    @Override
    public void cancel() {
        takeSubscriber();
        close.run();
    }

    /** Takes the subscriber. Only the caller that receives it may send the last signal. */
    private Flow.@Nullable Subscriber<? super Recorded<E>> takeSubscriber() {
        lock.lock();
        try {
            Flow.Subscriber<? super Recorded<E>> s = subscriber;
            subscriber = null;
            changed.signalAll();
            return s;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isReady() {
        lock.lock();
        try {
            return demand > 0;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean deliver(Recorded<E> event, Lease lease) throws InterruptedException {
        signals.lock();
        try {
            if (lease.isOver()) { // during the signals of other slices
                return false;
            }
            Flow.Subscriber<? super Recorded<E>> s = awaitDemand();
            if (s == null) {
                return false;
            }
            s.onNext(event);
            return true;
        } catch (RuntimeException | Error e) { // cancels the subscription (rule 2.13)
            LOG.error("A subscriber has thrown an exception: its projection closes.", e);
            cancel();
            return false;
        } finally {
            signals.unlock();
        }
    }

    private Flow.@Nullable Subscriber<? super Recorded<E>> awaitDemand() throws InterruptedException {
        lock.lock();
        try {
            long nanos = WAIT_NANOS;
            while (demand == 0 && subscriber != null && invalid == null && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            if (demand == 0 || invalid != null) {
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

    @Override
    public void end() {
        Flow.Subscriber<? super Recorded<E>> s = takeSubscriber();
        if (s == null) {
            return;
        }
        IllegalArgumentException refusal = refusal();
        signals.lock();
        try {
            if (refusal == null) {
                s.onComplete();
            } else {
                s.onError(refusal);
            }
        } catch (RuntimeException | Error e) {
            LOG.warn("A subscriber has thrown an exception after its last event.", e);
        } finally {
            signals.unlock();
        }
    }

    private @Nullable IllegalArgumentException refusal() {
        lock.lock();
        try {
            return invalid;
        } finally {
            lock.unlock();
        }
    }
}
