package io.fibry;

import io.fibry.dispatch.Time;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What an actor was doing at a moment, for the asks that time out about then. All of them share one: the positions of all waiting
 * asks come from a single pass over the mailbox, and the stack of the handler is taken once.
 *
 * <p><b>The cost is bounded.</b> A diagnosis is used for a short time, at least ten times as long as a long pass has taken. An
 * ask that was sent later is not in it, and gets a new one, but not before that time is over. So long passes take a tenth of a
 * thread at most, however many asks time out. Meanwhile such asks do not get their position.
 */
final class Diagnosis {

    private static final long LIFE_NANOS = Duration.ofMillis(10).toNanos();

    private static final long LONGEST_LIFE_NANOS = Duration.ofSeconds(1).toNanos();

    /** A pass over fewer messages is cheap, and not worth a measurement that the garbage collector may disturb. */
    private static final int FEW = 1_000;

    /** How much longer a diagnosis is used than the pass over the mailbox took. */
    private static final int TIMES = 10;

    private static final ReentrantLock LOCK = new ReentrantLock();

    /** Weak references, so that nothing here keeps an actor, a message or a reply. Written under {@link #LOCK}. */
    private static volatile @Nullable WeakReference<Diagnosis> latest;

    private static final Map<ActorState<?>, WeakReference<Diagnosis>> LAST = new WeakHashMap<>(); // guarded by LOCK

    private final @Nullable Envelope atWork;
    private final WorkSnapshot.Positions positions;
    private final @Nullable Throwable stack;
    private final ActorState<?> actor;
    private final long begun = Time.nanos();
    private final long made;

    private Diagnosis(ActorState<?> actor) {
        this.actor = actor;
        WorkSnapshot progress = actor.progress();
        atWork = progress.atWork();
        positions = progress.positions();
        StackTraceElement[] frames = progress.stack();
        stack = frames.length == 0 ? null : new HandlerStack(frames);
        made = Time.nanos();
    }

    /** The cause of the exceptions, shared by them. */
    private static final class HandlerStack extends Exception {
        private static final long serialVersionUID = 1;

        HandlerStack(StackTraceElement[] frames) {
            super("the stack of the actor's handler", null, false, true);
            setStackTrace(frames);
        }

        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
    }

    /** A diagnosis for an ask that was sent at this time, in nanoseconds. */
    static Diagnosis of(ActorState<?> actor, long sent) {
        WeakReference<Diagnosis> recent = latest;
        Diagnosis d = recent == null ? null : recent.get();
        if (d != null && d.actor == actor && d.serves(sent)) { // without the lock, as nearly always when many time out
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
        long cost = positions.size() < FEW ? 0 : Math.min(TIMES * (made - begun), LONGEST_LIFE_NANOS);
        return age <= (knows(sent) ? Math.max(LIFE_NANOS, cost) : cost);
    }

    /** Whether it was begun after this time. */
    boolean knows(long sent) {
        return begun - sent > 0;
    }

    /** The message at work, or null. */
    @Nullable
    Envelope atWork() {
        return atWork;
    }

    /** The number of messages before this ask, including the one at work; -1 if the ask was not found. */
    int position(Reply<?> ask) {
        return positions.of(ask);
    }

    /** The stack of the handler, as the cause of an exception; null if none was at work. */
    @Nullable
    Throwable stack() {
        return stack;
    }
}
