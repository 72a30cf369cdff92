package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorContext;
import io.fibry.ActorExit;
import io.fibry.ActorSystem;
import io.fibry.ActorTimer;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.LogText;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The context of an actor, and the state that only an actor with a context has.
 *
 * @param <B> the type of the behavior
 */
abstract class CellContext<M, B> extends ContextSources<M, ActorCell<M>> implements ActorContext<M> {

    private final int stashLimit;

    /** Null until {@link #makeBehavior} has returned once. Consumer only. */
    @Nullable
    B behavior;

    // Created on first use by the consumer
    private volatile @Nullable Stash stash;
    private volatile @Nullable SelectiveReceive receive;

    // Consumer only: the message being handled, whether it is stashed, and the last message that its handler unstashed
    private @Nullable Envelope current;
    private boolean stashed;
    private @Nullable Envelope unstashed;

    CellContext(ActorCell<M> actor, int stashLimit) {
        super(actor);
        this.stashLimit = stashLimit;
    }

    /** Calls the factory of the behavior. */
    abstract @Nullable B make();

    /** Replaces the behavior by an {@link EndedBehavior}, and releases the factory. */
    abstract void releaseBehavior();

    /** The behavior for the next message. Consumer only. */
    final B behavior() {
        return Objects.requireNonNull(behavior, "no behavior has been made");
    }

    @Override
    final boolean hasBehavior() {
        return behavior != null;
    }

    /** Replaces the behavior from the next message on. */
    final void become(String what, B next) {
        current(what);
        behavior = Objects.requireNonNull(next, "behavior");
    }

    /** Makes the behavior, also for a restart: cancels timers and watches, and moves stashed messages to the front. */
    void makeBehavior() {
        cancelTimers();
        clearWatches();
        Stash s = stash;
        if (s != null) {
            s.moveAllToFront();
        }
        behavior = Objects.requireNonNull(make(), "the factory of an actor must not return null");
    }

    void begin(Envelope envelope) {
        current = envelope;
        stashed = false;
    }

    /** As {@link #begin}, but for the rest of a message. */
    final void resume(SuspendedMessage suspended) {
        current = suspended;
    }

    @Override
    void done() {
        ReceiveTimeout<M> r = receiveTimeoutIfAny();
        if (r != null && current != null && current.reply != Reply.OF_SIGNAL) {
            r.touch();
        }
        current = null;
        unstashed = null;
    }

    @Override
    final boolean isStashed() {
        return stashed && current != null;
    }

    @Override
    final boolean isHandling(Object ask) {
        Envelope c = current;
        return c != null && c.reply == ask;
    }

    boolean passRole() {
        SelectiveReceive r = receive;
        return r != null && r.passRole();
    }

    @Override
    boolean awaitsSomething() {
        Stash s = stash;
        return awaitsSource() || (s != null && !s.isEmpty());
    }

    final void forEachStashed(Consumer<Envelope> action) {
        Stash s = stash;
        if (s != null) {
            s.forEach(action);
        }
    }

    /** Called when the actor ends. Returns the stashed messages, which the caller discards. */
    List<Envelope> end() {
        endSources();
        Stash s = stash;
        return s == null ? List.of() : s.takeAll();
    }

    // ---- for the behavior

    @Override
    public Actor<M> self() {
        return actor;
    }

    @Override
    public ActorSystem system() {
        return actor.kind.system();
    }

    @Override
    public ActorBuilder<Object> spawn() {
        return system().actor().childOf(actor);
    }

    @Override
    public void watch(Actor<?> other, Consumer<? super ActorExit> then) {
        watches().watch(ActorCell.of(other), Objects.requireNonNull(then, "then"));
    }

    @Override
    public void unwatch(Actor<?> other) {
        watches().unwatch(ActorCell.of(other));
    }

    @Override
    public void link(Actor<?> other) {
        Link.join(actor, ActorCell.of(other));
    }

    @Override
    public void unlink(Actor<?> other) {
        Link.part(actor, ActorCell.of(other));
    }

    @Override
    public ActorTimer after(Duration delay, M message) {
        return timers().start(
                        Objects.requireNonNull(message, "message"),
                        Durations.notNegative("delay", delay),
                        Duration.ZERO);
    }

    @Override
    public ActorTimer every(Duration period, M message) {
        Objects.requireNonNull(message, "message");
        return timers().start(message, Durations.positive("the period of a timer", period), period);
    }

    @Override
    public ActorTimer receiveTimeout(Duration timeout, M message) {
        Objects.requireNonNull(message, "message");
        long nanos = Durations.nanos(Durations.positive("a receive timeout", timeout));
        return startReceiveTimeout(message, nanos);
    }

    @Override
    public <T extends @Nullable Object> void pipeToSelf(
            CompletionStage<T> stage, BiFunction<@Nullable T, @Nullable Throwable, M> message) {
        Objects.requireNonNull(stage, "stage");
        Objects.requireNonNull(message, "message");
        pipe(stage, message).connect();
    }

    @Override
    public void stash() {
        Envelope current = current("stash");
        if (stashed) {
            throw new IllegalStateException(
                    "actor " + LogText.plain(actor.name()) + " has stashed this message already");
        }
        Stash s = stash != null ? stash : new Stash(actor, stashLimit);
        stash = s;
        s.add(current);
        stashed = true;
        if (current.reply != Reply.OF_SIGNAL && !current.isSuspended()) { // else it is not counted anyway
            actor.uncount(actor.currentRunner());
        }
    }

    @Override
    public void unstash(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("the number of messages must not be negative, but is " + count);
        }
        unstash("unstash", count);
    }

    @Override
    public void unstashAll() {
        unstash("unstashAll", Integer.MAX_VALUE);
    }

    private void unstash(String what, int count) {
        Envelope current = current(what);
        Stash s = stash;
        if (s != null) {
            unstashed = s.moveOldest(count, unstashed == null ? current : unstashed);
        }
    }

    @Override
    @SuppressWarnings("unchecked") // an envelope without a reply is not a task, signal or ask: its message is an M
    public Optional<M> receive(Predicate<? super M> wanted, Duration timeout) {
        Objects.requireNonNull(wanted, "wanted");
        Durations.notNegative("timeout", timeout);
        Envelope current = current("receive");
        SelectiveReceive r = receive != null ? receive : new SelectiveReceive(actor);
        receive = r;
        Envelope found = r.take(current, e -> e.reply == null && wanted.test((M) e.message), timeout);
        if (found == null) {
            return Optional.empty();
        }
        if (found == unstashed) {
            unstashed = SelectiveReceive.beforeTaken(found, current);
        }
        actor.countInner(actor.currentRunner());
        return Optional.of((M) found.message);
    }

    final Envelope current(String what) {
        Envelope e = actor.isOnThisThread() ? current : null;
        if (e == null) {
            throw new IllegalStateException(what + " is for the behavior of actor " + LogText.plain(actor.name())
                    + ", while it handles a message");
        }
        return e;
    }
}
