package io.fibry.dispatch;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The timer's thread and threads that start alarms, under the interleavings of small scenarios: the timer's thread does
 * not sleep past an alarm that it has not taken.
 *
 * <p>Seen to fail: a thread that does not compare again after the timer has lowered the time; a timer that takes the
 * alarms before it raises the time; a thread that unparks the timer before it announces that.
 */
@Tag("model-check")
public final class WakeTimeHandOverTest {

    private static final long DUE = 1;
    private static final long FAR = 1_000;
    private static final long LATEST = Long.MAX_VALUE;

    /** The permit of the timer's thread. */
    private final AtomicBoolean permit = new AtomicBoolean();

    private final WakeTime time = new WakeTime(() -> permit.set(true));

    /** Whether there is an alarm on the stack. */
    private final AtomicBoolean pushed = new AtomicBoolean();

    /** The time until which the timer's thread sleeps without a permit. */
    private volatile long asleepUntil;

    @Operation
    public void start() {
        pushed.set(true);
        time.wakeBy(DUE);
    }

    /** The wheel is empty, so the time stays the same when it is lowered. */
    @Operation(nonParallelGroup = "timer")
    public void takeAndPark() {
        takeAndPark(LATEST);
    }

    /** The wheel has an alarm that is due later. */
    @Operation(nonParallelGroup = "timer")
    public void takeAndParkUntilTheNext() {
        takeAndPark(FAR);
    }

    /** A turn of the timer's thread, which has woken up for some reason. */
    private void takeAndPark(long next) {
        asleepUntil = 0;
        permit.set(false);
        time.raise(LATEST);
        long until = pushed.getAndSet(false) ? DUE : next;
        permit.set(false); // used by a lock of an action
        if (time.lower(LATEST, until)) {
            asleepUntil = until;
        }
    }

    @Validate
    public void noAlarmIsMissed() {
        assertFalse(pushed.get() && asleepUntil > DUE && !permit.get());
    }

    @Test
    void noAlarmIsMissedUnderAnyInterleaving() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(30)
                .invocationsPerIteration(500)
                .verifier(EpsilonVerifier.class)
                .check(WakeTimeHandOverTest.class);
    }
}
