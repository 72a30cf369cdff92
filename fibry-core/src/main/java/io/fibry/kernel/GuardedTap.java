package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.dispatch.LogLimit;

/** Logs the exceptions of a tap, at most one a second: they must not affect the actor. */
record GuardedTap(MessageTap tap) implements MessageTap {

    private static final LogLimit FAILURES = new LogLimit();

    @Override
    public void handled(SampledMessage message, Actor<?> receiver, long waited, long handled, boolean hasFailed) {
        try {
            tap.handled(message, receiver, waited, handled, hasFailed);
        } catch (Throwable t) {
            failed(t);
        }
    }

    @Override
    public void replied(SampledMessage message, Actor<?> receiver, long nanos, boolean hasFailed) {
        try {
            tap.replied(message, receiver, nanos, hasFailed);
        } catch (Throwable t) {
            failed(t);
        }
    }

    private static void failed(Throwable t) {
        if (FAILURES.tryLog()) {
            KernelLog.measurement(t);
        }
    }
}
