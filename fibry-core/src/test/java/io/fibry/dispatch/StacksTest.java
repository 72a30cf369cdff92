package io.fibry.dispatch;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class StacksTest {

    private static final StackTraceElement[] EMPTY = {};

    private final Stacks stacks = new Stacks(Duration.ofMillis(10).toNanos());
    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();

    private StackTraceElement[] waitAtGate() throws InterruptedException {
        begun.incrementAndGet();
        gate.await();
        return EMPTY;
    }

    private static boolean isUnknown(StackTraceElement[] stack) {
        return stack.length == 1 && stack[0].getMethodName().equals("noStack");
    }

    @Test
    void theStackOfAVirtualThreadIsThatOfTheThread() {
        Thread parked = Thread.startVirtualThread(LockSupport::park);
        await().until(() -> parked.getState() == Thread.State.WAITING);
        assertTrue(
                Arrays.stream(Stacks.of(parked)).anyMatch(f -> f.getMethodName().equals("park")));
        LockSupport.unpark(parked);
    }

    @Test
    void stackTracesThatDoNotReturnLeaveTheStackUnknownAndAreNotRequestedAgain() {
        while (begun.get() < Stacks.HELPERS) {
            assertTrue(isUnknown(stacks.take(this::waitAtGate)));
        }
        var calls = new AtomicInteger();
        assertTrue(isUnknown(stacks.take(() -> {
            calls.incrementAndGet();
            return EMPTY;
        })));
        assertEquals(0, calls.get());
        gate.countDown();
        await().until(() -> stacks.take(() -> EMPTY).length == 0);
    }

    @Test
    void anInterruptOfTheCallerStaysPending() {
        var patient = new Stacks(Duration.ofMinutes(1).toNanos());
        Thread.currentThread().interrupt();
        assertSame(EMPTY, patient.take(() -> EMPTY));
        assertTrue(Thread.interrupted());
    }

    @Test
    void aFullHeapIsReportedToTheCaller() {
        var patient = new Stacks(Duration.ofMinutes(1).toNanos());
        assertThrows(
                OutOfMemoryError.class,
                () -> patient.take(() -> {
                    throw new OutOfMemoryError("on purpose");
                }));
        assertFalse(isUnknown(patient.take(() -> EMPTY)));
    }
}
