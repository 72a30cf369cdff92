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
 * alarms before it raises the time.
 */
@Tag("model-check")
public final class WakeTimeHandOverTest {

    private static final long DUE = 1;
    private static final long FAR = 1_000;
    private static final long LATEST = Long.MAX_VALUE;

    private final WakeTime time = new WakeTime();

    /** Whether there is an alarm on the stack. */
    private final AtomicBoolean pushed = new AtomicBoolean();

    @Operation
    public void start() {
        pushed.set(true);
        time.hasToUnpark(DUE);
    }

    /** Another alarm, of the distant future, is already in the wheel. */
    @Operation(nonParallelGroup = "timer")
    public void takeAndPark() {
        time.raise(LATEST);
        boolean taken = pushed.getAndSet(false);
        time.lower(LATEST, taken ? DUE : FAR);
    }

    /** A sleep beyond the alarm would still have to be ended. */
    @Validate
    public void noAlarmIsMissed() {
        if (pushed.get()) {
            assertFalse(time.hasToUnpark(DUE));
        }
    }

    @Test
    void noAlarmIsMissedUnderAnyInterleaving() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(10)
                .invocationsPerIteration(500)
                .verifier(EpsilonVerifier.class)
                .check(WakeTimeHandOverTest.class);
    }
}
