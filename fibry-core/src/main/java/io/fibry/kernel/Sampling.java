package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.dispatch.LogLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The taps of a system: which of its messages are measured, and by whom. Immutable; a system without taps has none.
 *
 * <p>The sender of a message draws a random number. A tap that wants one message in n receives those whose number is
 * below 1/n of the range, so that one number decides for all taps, and each tap has an unbiased sample.
 */
final class Sampling {

    private static final LogLimit FAILURES = new LogLimit();

    /** The number of values of an {@code int}. */
    private static final long RANGE = 1L << Integer.SIZE;

    /** A tap of one message in n, or of all messages of one actor. */
    record Tap(MessageTap listener, int oneIn, @Nullable Actor<?> only) {

        private long limit() {
            return only == null ? RANGE / oneIn : 0;
        }

        private boolean wants(SampledEnvelope envelope, Actor<?> receiver) {
            return only == null ? envelope.draw() < limit() : only == receiver;
        }
    }

    private final List<Tap> taps;

    /** The actors whose messages are all measured. */
    private final List<Actor<?>> watched = new ArrayList<>();

    /** Draws below this number are wanted by at least one tap. */
    private final long limit;

    private Sampling(List<Tap> taps) {
        this.taps = taps;
        long most = 0;
        for (Tap tap : taps) {
            most = Math.max(most, tap.limit());
            if (tap.only != null) {
                watched.add(tap.only);
            }
        }
        limit = most;
    }

    static Sampling with(@Nullable Sampling old, Tap tap) {
        List<Tap> taps = old == null ? new ArrayList<>() : new ArrayList<>(old.taps);
        taps.add(tap);
        return new Sampling(taps);
    }

    static @Nullable Sampling without(@Nullable Sampling old, Tap tap) {
        List<Tap> taps = old == null ? new ArrayList<>() : new ArrayList<>(old.taps);
        taps.removeIf(other -> other == tap);
        return taps.isEmpty() ? null : new Sampling(taps);
    }

    /** Returns the draw for a message if it is to be measured, else -1. Called by the sender. */
    long draw(Actor<?> receiver) {
        long draw = Integer.toUnsignedLong(ThreadLocalRandom.current().nextInt());
        if (draw < limit) {
            return draw;
        }
        for (int i = 0; i < watched.size(); i++) { // no iterator: this runs for each message
            if (watched.get(i) == receiver) {
                return draw;
            }
        }
        return -1;
    }

    /** Throws nothing: a tap that fails must not affect the actor. */
    void handled(SampledEnvelope message, Actor<?> receiver, long waited, long handled, boolean hasFailed) {
        for (Tap tap : taps) {
            try {
                if (tap.wants(message, receiver)) {
                    tap.listener.handled(message, receiver, waited, handled, hasFailed);
                }
            } catch (Throwable t) {
                failed(t);
            }
        }
    }

    /** As {@link #handled}. */
    void replied(SampledEnvelope message, Actor<?> receiver, long nanos, boolean hasFailed) {
        for (Tap tap : taps) {
            try {
                if (tap.wants(message, receiver)) {
                    tap.listener.replied(message, receiver, nanos, hasFailed);
                }
            } catch (Throwable t) {
                failed(t);
            }
        }
    }

    private static void failed(Throwable t) {
        if (FAILURES.tryLog()) {
            KernelLog.measurement(t);
        }
    }
}
