package io.fibry.kernel;

import io.fibry.dispatch.Time;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of an actor's activity, shared by the asks that time out at about the same time: the positions of all
 * waiting asks are computed in a single pass over the mailbox, and the stack of the handler is taken once.
 *
 * <p><b>The cost is bounded.</b> A diagnosis is reused for a short time, at least ten times the duration of a long
 * pass. An ask that was sent after the diagnosis is not part of it, and gets a new one, but not before that time is
 * over. Long passes therefore use at most a tenth of a thread, regardless of the number of asks that time out. Until
 * then, such asks have no position.
 */
final class Diagnosis {

    private static final long LIFE_NANOS = Duration.ofMillis(10).toNanos();

    private static final long LONGEST_LIFE_NANOS = Duration.ofSeconds(1).toNanos();

    /** A pass over fewer messages is cheap, and not worth a measurement that the garbage collector may disturb. */
    private static final int FEW = 1_000;

    /** The ratio of the time for which a diagnosis is reused to the duration of its pass over the mailbox. */
    private static final int TIMES = 10;

    private static final ReentrantLock LOCK = new ReentrantLock();

    /** A weak reference, so that it does not retain an actor, a message or a reply. Written under {@link #LOCK}. */
    private static volatile @Nullable WeakReference<Diagnosis> latest;

    private static final Map<ActorState<?>, WeakReference<Diagnosis>> LAST = new WeakHashMap<>(); // guarded by LOCK

    private final @Nullable Envelope current;
    private final WorkSnapshot.Positions positions;
    private final int looked; // the number of messages and descendants
    private final @Nullable Throwable stack;
    private final String reason;
    private final ActorState<?> actor;
    private final long begun = Time.nanos();
    private final long made;

    private Diagnosis(ActorState<?> actor) {
        this.actor = actor;
        WorkSnapshot progress = actor.progress();
        current = progress.current();
        positions = progress.positions();
        IdleReason idle = current == null ? IdleReason.of(actor) : null;
        reason = idle == null ? "" : idle.text();
        looked = positions.size() + (idle == null ? 0 : idle.looked());
        StackTraceElement[] frames =
                idle == null ? progress.stack() : idle.stack().toArray(new StackTraceElement[0]);
        stack = frames.length == 0 ? null : new HandlerStack(frames);
        made = Time.nanos();
    }

    /** The shared cause of the exceptions. */
    private static final class HandlerStack extends Exception {
        private static final long serialVersionUID = 1;

        HandlerStack(StackTraceElement[] frames) {
            super("the stack of the handler", null, false, true);
            setStackTrace(frames);
        }

        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
    }

    /** Returns a diagnosis for an ask that was sent at this time, in nanoseconds. */
    static Diagnosis of(ActorState<?> actor, long sent) {
        WeakReference<Diagnosis> recent = latest;
        Diagnosis d = recent == null ? null : recent.get();
        // the common case if many asks time out, without the lock
        if (d != null && d.actor == actor && d.serves(sent)) {
            return d;
        }
        LOCK.lock();
        try {
            WeakReference<Diagnosis> last = LAST.get(actor);
            Diagnosis known = last == null ? null : last.get();
            if (known != null && known.serves(sent)) {
                latest = last;
                return known;
            }
            var made = new Diagnosis(actor);
            last = new WeakReference<>(made);
            LAST.put(actor, last);
            latest = last;
            return made;
        } finally {
            LOCK.unlock();
        }
    }

    private boolean serves(long sent) {
        long age = Time.nanos() - made;
        long cost = looked < FEW ? 0 : Math.min(TIMES * (made - begun), LONGEST_LIFE_NANOS);
        return age <= (knows(sent) ? Math.max(LIFE_NANOS, cost) : cost);
    }

    /** Whether the diagnosis was begun after this time. */
    boolean knows(long sent) {
        return begun - sent > 0;
    }

    /** The message being handled, or null. */
    @Nullable
    Envelope current() {
        return current;
    }

    /** The reason why no message is being handled; empty if one is. */
    String reason() {
        return reason;
    }

    /** The number of messages before this ask, including the message being handled; -1 if the ask was not found. */
    int position(Reply<?> ask) {
        return positions.of(ask);
    }

    /**
     * The stack of the handler, or of a descendant of an idle actor, as the cause of an exception; null if there is
     * none.
     */
    @Nullable
    Throwable stack() {
        return stack;
    }
}
