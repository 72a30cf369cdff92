package io.fibry.dispatch;

import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/**
 * A nonfair reentrant lock, like {@link java.util.concurrent.locks.ReentrantLock}, but consisting of one object instead
 * of two. As a superclass it needs no additional object: an actor's lifecycle is its own lock, which saves 48 bytes.
 */
@SuppressWarnings("serial") // inherited; a lock is never serialized
public class ActorLock extends AbstractQueuedSynchronizer {

    public ActorLock() {}

    public final void lock() {
        acquire(1);
    }

    public final void unlock() {
        release(1);
    }

    @Override
    protected final boolean tryAcquire(int holds) {
        Thread self = Thread.currentThread();
        int before = getState();
        if (before == 0) {
            boolean free = compareAndSetState(0, holds);
            if (free) {
                setExclusiveOwnerThread(self);
            }
            return free;
        }
        if (getExclusiveOwnerThread() != self) {
            return false;
        }
        setState(before + holds); // only by the owner; an overflow would need as many stack frames
        return true;
    }

    @Override
    protected final boolean tryRelease(int holds) {
        if (!isHeldExclusively()) {
            throw new IllegalMonitorStateException("the calling thread does not hold the lock");
        }
        int left = getState() - holds;
        if (left == 0) {
            setExclusiveOwnerThread(null); // before the state, which publishes it
        }
        setState(left);
        return left == 0;
    }

    @Override
    protected final boolean isHeldExclusively() {
        return getExclusiveOwnerThread() == Thread.currentThread();
    }
}
