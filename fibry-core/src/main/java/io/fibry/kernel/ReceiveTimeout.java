package io.fibry.kernel;

import io.fibry.ActorContext;
import io.fibry.ActorTimer;
import io.fibry.ContextCarrier.Captured;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.Time;
import org.jspecify.annotations.Nullable;

/**
 * Handles a message whenever the actor has handled no other for some time; see {@link ActorContext#receiveTimeout}. A
 * message does not reset the alarm. When the alarm fires, the actor computes the time since the last message, and sets
 * the alarm to the remaining time.
 */
final class ReceiveTimeout<M> implements ActorTimer, Signal {

    private final ActorState<M> actor;
    private final Timers<M> timers;
    private final M message;
    private final long nanos;
    private final @Nullable Captured context;
    volatile long idleSince = Time.nanos();
    private volatile boolean cancelled;
    private volatile @Nullable Alarm alarm;

    /** @param timers counts the handled messages */
    ReceiveTimeout(ActorState<M> actor, Timers<M> timers, M message, long nanos) {
        this.actor = actor;
        this.timers = timers;
        this.message = message;
        this.nanos = nanos;
        context = actor.captured();
    }

    void start() {
        arm(nanos);
    }

    /** Called by the consumer after it has handled a message. */
    void touch() {
        idleSince = Time.nanos();
    }

    private void arm(long inNanos) {
        var next = new Alarm();
        alarm = next;
        if (actor.dispatcher().mayRunOnCaller()) {
            next.start(inNanos, this::ring);
        } else {
            next.startBrief(inNanos, this::ring);
        }
        if (cancelled) { // a cancel before the write of alarm did not see it
            next.cancel();
        }
    }

    /**
     * Sends a signal, since only the actor itself knows whether it is idle: it may be running, or have waiting
     * messages.
     */
    private void ring() {
        if (!actor.signal(this)) {
            cancel();
        }
    }

    @Override
    public void deliver(ActorThread runner) throws Exception {
        if (cancelled) {
            return;
        }
        long left = nanos - (Time.nanos() - idleSince);
        if (left > 0) {
            arm(left);
        } else {
            touch();
            arm(nanos);
            timers.receive(message, runner);
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
    public void cancel() {
        cancelled = true;
        Alarm a = alarm;
        if (a != null) {
            a.cancel();
        }
        actor.registry().forgetIfIdle(actor);
    }

    @Override
    public ActorTimer cancelOnStop() {
        return this; // every stop cancels it
    }

    boolean isCancelled() {
        return cancelled;
    }

    /**
     * Any thread. While the actor handles a message, the timeout begins at the end of the handler, so its whole time is
     * left.
     */
    TimersSnapshot.Scheduled snapshot(long now) {
        Envelope current = actor.progress().current();
        boolean isHandling = current != null && current.reply != Reply.OF_SIGNAL;
        long left = isHandling ? nanos : nanos - (now - idleSince);
        return new TimersSnapshot.Scheduled(message.getClass(), left, nanos, true);
    }
}
