package io.fibry;

import io.fibry.ContextCarrier.Captured;
import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.Runner;
import io.fibry.dispatch.Time;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The timers of an actor. */
final class Timers<M> {

    private final ActorState<M> actor;
    private final Set<Timer> running = new HashSet<>(); // guarded by the lifecycle's lock, as is the next field
    private boolean ended;

    /** Ticks at fixed times. If the previous tick still waits in the mailbox, the next one is skipped. */
    private final class Timer implements ActorTimer, Signal {
        private final M message;
        private final long periodNanos; // 0 for a timer that ticks only once
        private final @Nullable Captured context = actor.captured();
        private final AtomicBoolean waiting = new AtomicBoolean();
        private long due;
        private volatile boolean cancelled;
        private volatile @Nullable Alarm alarm;

        Timer(M message, long delayNanos, long periodNanos) {
            this.message = message;
            this.periodNanos = periodNanos;
            due = Time.nanos() + delayNanos;
        }

        void arm() {
            var next = new Alarm();
            alarm = next;
            long nanos = due - Time.nanos();
            if (actor.dispatcher().mayRunOnCaller()) {
                next.start(nanos, this::tick);
            } else {
                next.startBrief(nanos, this::tick);
            }
            if (cancelled) { // a cancel before the write of alarm did not see it
                next.cancel();
            }
        }

        private void tick() {
            if (waiting.compareAndSet(false, true) && !signal()) {
                cancel();
            }
            if (periodNanos > 0 && !cancelled) {
                long late = Time.nanos() - due;
                due += (Math.max(0, late) / periodNanos + 1) * periodNanos;
                arm();
            }
        }

        /** The alarm repeats a tick that runs out of memory; then it has to get here again. */
        private boolean signal() {
            try {
                return actor.signal(this);
            } catch (OutOfMemoryError e) {
                waiting.set(false);
                throw e;
            }
        }

        @Override
        public void deliver(Runner runner) throws Exception {
            waiting.set(false);
            if (!cancelled) {
                if (periodNanos == 0) {
                    forget(this);
                }
                actor.receive(message);
            }
        }

        @Override
        public @Nullable Captured context() {
            return context;
        }

        @Override
        public boolean isMessage() {
            return true;
        }

        @Override
        public String toString() {
            return "the timer's " + message;
        }

        @Override
        public void cancel() {
            cancelled = true;
            forget(this);
            Alarm a = alarm;
            if (a != null) {
                a.cancel();
            }
        }
    }

    Timers(ActorState<M> actor, boolean ended) {
        this.actor = actor;
        this.ended = ended;
    }

    ActorTimer start(M message, Duration delay, Duration period) {
        var timer = new Timer(message, Durations.nanos(delay), Durations.nanos(period));
        Lifecycle l = actor.lifecycle();
        l.lock();
        try {
            if (ended) {
                throw actor.stopped();
            }
            running.add(timer);
            actor.registry().know(actor); // so that the close of the system ends the timer
        } finally {
            l.unlock();
        }
        timer.arm();
        return timer;
    }

    private void forget(Timer timer) {
        actor.lifecycle().lock();
        try {
            running.remove(timer);
            actor.registry().forgetIfIdle(actor);
        } finally {
            actor.lifecycle().unlock();
        }
    }

    boolean isEmpty() {
        actor.lifecycle().lock();
        try {
            return running.isEmpty();
        } finally {
            actor.lifecycle().unlock();
        }
    }

    void cancelAll() {
        all(false).forEach(Timer::cancel);
    }

    void end() {
        all(true).forEach(Timer::cancel);
    }

    private List<Timer> all(boolean last) {
        actor.lifecycle().lock();
        try {
            ended |= last;
            return List.copyOf(running);
        } finally {
            actor.lifecycle().unlock();
        }
    }
}
