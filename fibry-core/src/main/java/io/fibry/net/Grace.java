package io.fibry.net;

import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.Time;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The wait between the end of a connection's output and the read of the client's end: most clients close the connection
 * meanwhile.
 *
 * <p>Unlike {@code Thread.sleep}, whose end wakes a thread of the JDK for each virtual thread, this wait needs one
 * wake-up of the timer thread for all waits that end in the same millisecond.
 *
 * <p>No wake-up is lost: the timer thread sets {@code over} before the unpark, and the waiting thread reads it after
 * each park.
 */
final class Grace extends Alarm {

    private final Thread thread = Thread.currentThread();
    private volatile boolean over;

    private Grace() {}

    /** Blocks the calling thread for this time. An interrupt ends the wait; the interrupt status stays set. */
    static void await(Duration time) {
        var grace = new Grace();
        grace.startAt(Time.nanos() + time.toNanos(), true);
        while (!grace.over && !grace.thread.isInterrupted()) {
            LockSupport.park(grace);
        }
        grace.cancel();
    }

    /** Runs on the timer thread. */
    @Override
    public void fire() {
        over = true;
        LockSupport.unpark(thread);
    }
}
