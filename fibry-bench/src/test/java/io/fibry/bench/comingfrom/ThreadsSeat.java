package io.fibry.bench.comingfrom;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The program of docs/coming-from-virtual-threads.md. */
public class ThreadsSeat {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition free = lock.newCondition();
    private boolean taken;

    String hold(String guest, Duration timeout) throws Exception {
        lock.lock();
        try {
            long left = timeout.toNanos();
            while (taken) {
                if (left <= 0) {
                    throw new TimeoutException("the seat is taken");
                }
                left = free.awaitNanos(left);
            }
            taken = true;
        } finally {
            lock.unlock();
        }
        Thread.startVirtualThread(this::expire);
        return guest + " has the seat";
    }

    private void expire() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        lock.lock();
        try {
            taken = false;
            free.signal();
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        var seat = new ThreadsSeat();
        for (String guest : List.of("Ann", "Bob")) {
            System.out.println(seat.hold(guest, Duration.ofSeconds(10)));
        }
    }
}
