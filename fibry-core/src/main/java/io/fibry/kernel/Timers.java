package io.fibry.kernel;

import io.fibry.ActorTimer;
import io.fibry.ContextCarrier.Captured;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.MessageSource;
import io.fibry.dispatch.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The timers of an actor. A draining actor waits for its <em>pending</em> timers, as it waits for the stages of
 * {@link Pipes}: a timer is pending if it ticks only once, its owner has not called {@link ActorTimer#cancelOnStop},
 * and it is not due after the {@link DrainDeadline}.
 *
 * <p><b>No tick is missed.</b> A timer stays in the list of running timers, and pending, until its message is handled.
 * While the mailbox is open, the tick arrives through it. When it is closed, the tick goes to the {@link ChildMessages}
 * under the lock of the lifecycle. The actor ends only if it finds no pending timer under the same lock. If it waits at
 * that moment, the thread that delivers the tick, or that cancels the last pending timer, acquires the consumer's role
 * and makes the actor ready.
 *
 * <p><b>A dropped message becomes a dead letter exactly once.</b> Only the consumer reports it: when it discards the
 * tick in its mailbox, or when it ends or restarts the actor and finds the timer in the list. Both remove the timer.
 */
final class Timers<M> extends OwnMessages {

    private final ActorState<M> actor;

    // Guarded by the lock of the lifecycle, as are the fields of a timer that say so.
    private @Nullable Timer first;
    private @Nullable Timer last;
    private int size;
    private int pending;
    private boolean ended;

    /**
     * Ticks once, or at a fixed rate: a tick whose predecessor still waits in the mailbox is skipped, and so are ticks
     * whose time has passed while the JVM was busy. A tick allocates only the envelope of its message.
     */
    private final class Timer extends Alarm implements ActorTimer, Signal {

        private final M message;
        private final long periodNanos; // 0 for a timer that ticks only once
        private final @Nullable Captured context = actor.captured();

        /** Whether a tick is in the mailbox. Only {@link #fire}, which is never concurrent with itself, sets it. */
        private volatile boolean waiting;

        private volatile boolean cancelsOnStop;

        // The list of running timers, and whether this one is in it. Guarded, as is the next field.
        private @Nullable Timer next;
        private @Nullable Timer previous;
        private boolean isRunning;

        private boolean isPending;

        Timer(M message, long delayNanos, long periodNanos) {
            super(Time.nanos() + delayNanos);
            this.message = message;
            this.periodNanos = periodNanos;
        }

        void arm(long time) {
            startAt(time, !actor.dispatcher().mayRunOnCaller());
        }

        @Override
        public void fire() {
            long missed = 0;
            if (waiting) {
                missed = 1;
            } else {
                tick();
            }
            if (periodNanos > 0 && !isCancelled()) {
                long late = Math.max(0, Time.nanos() - due());
                missed += late / periodNanos;
                if (missed > 0) {
                    actor.countMissedTicks(missed);
                }
                arm(due() + (late / periodNanos + 1) * periodNanos);
            }
        }

        /**
         * Sends the tick. The alarm repeats {@link #fire} if memory runs out, so {@code waiting} must not be set then:
         * no step between its assignment and the hand-over of the tick allocates.
         */
        private void tick() {
            var tick = new Envelope(this, Reply.OF_SIGNAL);
            waiting = true; // before the offer: the consumer resets it
            if (!actor.offer(tick)) {
                waiting = false;
                refused(tick);
            }
        }

        /** Called when the mailbox is closed. A draining actor still receives the message of a pending timer. */
        private void refused(Envelope tick) {
            if (periodNanos > 0 || cancelsOnStop) {
                cancel();
                return;
            }
            Lifecycle l = actor.lifecycle();
            boolean role = false;
            l.lock();
            try {
                if (isPending && !l.discards()) {
                    l.rareState().childMessages().add(tick);
                    waiting = true;
                    role = l.endWait();
                }
            } finally {
                l.unlock();
            }
            if (role) {
                actor.ready();
            }
        }

        @Override
        public void deliver(ActorThread runner) throws Exception {
            waiting = false;
            if (!isCancelled()) {
                if (periodNanos == 0) {
                    forget(this);
                }
                receive(message, runner);
            }
        }

        @Override
        public @Nullable Captured context() {
            return context;
        }

        @Override
        public Object delivered() {
            return message;
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
        public @Nullable Object lost() {
            return isCancelled() || periodNanos > 0 || cancelsOnStop ? null : message;
        }

        @Override
        public void discarded() {
            cancel();
        }

        @Override
        public ActorTimer cancelOnStop() {
            cancelsOnStop = true;
            boolean stopping;
            actor.lifecycle().lock();
            try {
                stopping = actor.lifecycleMode() != null;
            } finally {
                actor.lifecycle().unlock();
            }
            if (stopping) {
                cancel();
            } else {
                settle(this, false);
            }
            return this;
        }

        @Override
        public void cancel() {
            super.cancel();
            forget(this);
        }
    }

    Timers(ActorState<M> actor, boolean ended) {
        this.actor = actor;
        this.ended = ended;
    }

    /** Handles the message of a timer. Consumer only. */
    void receive(M message, ActorThread runner) throws Exception {
        try {
            actor.receive(message);
        } finally {
            count(actor, MessageSource.TIMER, runner);
        }
    }

    ActorTimer start(M message, Duration delay, Duration period) {
        var timer = new Timer(message, Durations.nanos(delay), Durations.nanos(period));
        Lifecycle l = actor.lifecycle();
        l.lock();
        try {
            if (ended) {
                throw actor.stopped();
            }
            add(timer);
            actor.registry().know(actor); // so that the close of the system ends the timer
            if (timer.periodNanos == 0) {
                actor.registry().pendingWork().begins(); // before the deadline is read; see DrainDeadline
                if (DrainDeadline.precedes(timer.due(), actor)) {
                    actor.registry().pendingWork().ends();
                } else {
                    timer.isPending = true;
                    pending++;
                }
            }
        } finally {
            l.unlock();
        }
        timer.arm(timer.due());
        return timer;
    }

    private void forget(Timer timer) {
        settle(timer, true);
    }

    /**
     * Marks the timer as no longer pending. If the actor waits for it, the calling thread acquires the consumer's role,
     * and makes the actor ready.
     */
    private void settle(Timer timer, boolean isOver) {
        Lifecycle l = actor.lifecycle();
        boolean role = false;
        l.lock();
        try {
            if (isOver) {
                remove(timer);
            }
            if (timer.isPending) {
                timer.isPending = false;
                pending--;
                actor.registry().pendingWork().ends();
                role = l.mode() != null && pending == 0 && l.endWait();
            }
            if (isOver) {
                actor.registry().forgetIfIdle(actor);
            }
        } finally {
            l.unlock();
        }
        if (role) {
            actor.ready();
        }
    }

    /**
     * Gives up the timers that are due after the deadline of a stop, a value of {@link Time#nanos}: they are no longer
     * pending, since their messages would be too late. Any thread.
     */
    void giveUpAfter(long deadline) {
        for (Timer timer : all(false)) {
            if (timer.due() - deadline > 0 && timer.periodNanos == 0) {
                settle(timer, false);
            }
        }
    }

    /** Whether a draining actor has to wait for a timer. */
    boolean arePending() {
        actor.lifecycle().lock();
        try {
            return pending > 0;
        } finally {
            actor.lifecycle().unlock();
        }
    }

    boolean isEmpty() {
        actor.lifecycle().lock();
        try {
            return first == null;
        } finally {
            actor.lifecycle().unlock();
        }
    }

    /**
     * Reads the receive timeout, if there is one, and the timers that were started first: the lock is held while a
     * limited number of them is read. Any thread.
     */
    TimersSnapshot snapshot(@Nullable ReceiveTimeout<M> receiveTimeout) {
        List<TimersSnapshot.Scheduled> read = new ArrayList<>();
        long now = Time.nanos();
        if (receiveTimeout != null && !receiveTimeout.isCancelled()) {
            read.add(receiveTimeout.snapshot(now));
        }
        int others = read.size();
        Lifecycle l = actor.lifecycle();
        l.lock();
        try {
            for (Timer t = first; t != null && read.size() < TimersSnapshot.MOST_READ; t = t.next) {
                long left = t.due() - now; // due may be a little out of date: another thread sets it again
                read.add(new TimersSnapshot.Scheduled(t.message.getClass(), left, t.periodNanos, false));
            }
            return new TimersSnapshot(read, others + size);
        } finally {
            l.unlock();
        }
    }

    /**
     * The signals of the running timers. To discard a signal cancels its timer. Consumer only.
     *
     * @param forGood whether to refuse further timers
     */
    List<? extends Signal> signals(boolean forGood) {
        return all(forGood);
    }

    private List<Timer> all(boolean forGood) {
        actor.lifecycle().lock();
        try {
            ended |= forGood;
            List<Timer> all = new ArrayList<>();
            for (Timer t = first; t != null; t = t.next) {
                all.add(t);
            }
            return all;
        } finally {
            actor.lifecycle().unlock();
        }
    }

    // ---- the list of running timers, in the order of their start; under the lock

    private void add(Timer timer) {
        timer.isRunning = true;
        size++;
        timer.previous = last;
        if (last == null) {
            first = timer;
        } else {
            last.next = timer;
        }
        last = timer;
    }

    /** Removes a timer, if it is in the list. */
    private void remove(Timer timer) {
        if (!timer.isRunning) {
            return;
        }
        timer.isRunning = false;
        size--;
        Timer previous = timer.previous;
        Timer next = timer.next;
        if (previous == null) {
            first = next;
        } else {
            previous.next = next;
        }
        if (next == null) {
            last = previous;
        } else {
            next.previous = previous;
        }
        timer.previous = null;
        timer.next = null;
    }
}
