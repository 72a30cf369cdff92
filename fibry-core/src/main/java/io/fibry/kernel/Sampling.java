package io.fibry.kernel;

import io.fibry.Actor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The taps of a system: which of its messages are measured, and by whom. Immutable; a system without taps has none. The
 * taps throw nothing: see {@link GuardedTap}.
 *
 * <p>The sender of a message draws a random number. A tap that wants one message in n receives those whose number is
 * below 1/n of the range, so that one number decides for all taps, and each tap has an unbiased sample.
 */
final class Sampling {

    /** The number of values of an {@code int}. */
    private static final long RANGE = 1L << Integer.SIZE;

    /** A tap of one message in n, or of all messages of one actor. */
    record Tap(MessageTap listener, int oneIn, @Nullable Actor<?> only) {

        private long limit() {
            return only == null ? RANGE / oneIn : 0;
        }

        private boolean wants(long draw, Actor<?> receiver) {
            return only == null ? draw < limit() : only == receiver;
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

    void handled(SampledMessage message, long draw, Actor<?> receiver, long waited, long handled, boolean hasFailed) {
        for (Tap tap : taps) {
            if (tap.wants(draw, receiver)) {
                tap.listener.handled(message, receiver, waited, handled, hasFailed);
            }
        }
    }

    void replied(SampledMessage message, long draw, Actor<?> receiver, long nanos, boolean hasFailed) {
        for (Tap tap : taps) {
            if (tap.wants(draw, receiver)) {
                tap.listener.replied(message, receiver, nanos, hasFailed);
            }
        }
    }
}
