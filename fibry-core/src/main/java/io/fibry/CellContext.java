package io.fibry;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the behavior of an actor sees of it, and what only such actors have.
 *
 * @param <B> the type of the behavior: a {@link Consumer}, or a {@link Function} if the actor replies
 */
final class CellContext<M, B> implements ActorContext<M> {

    private final ActorCell<M> actor;
    private final int stashLimit;
    private final boolean restartable;
    private final Function<? super ActorContext<M>, ? extends B> factory;

    /** Null until it is made for the first time. Consumer only. */
    private @Nullable B behavior;

    // Made when first used: the first two by any thread, under the lock of the lifecycle, the others by the consumer.
    private volatile @Nullable Watching watches;
    private volatile @Nullable Timers<M> timers;
    private volatile @Nullable Stash stash;
    private volatile @Nullable SelectiveReceive receive;

    /** Guarded by the lock of the lifecycle. */
    private boolean ended;

    /** The message at work. Consumer only, as is the next. */
    private @Nullable Envelope current;

    private boolean stashed;

    CellContext(
            ActorCell<M> actor,
            int stashLimit,
            boolean restartable,
            Function<? super ActorContext<M>, ? extends B> factory) {
        this.actor = actor;
        this.stashLimit = stashLimit;
        this.restartable = restartable;
        this.factory = factory;
    }

    // ---- for the actor

    /** What handles the next message. Consumer only. */
    B behavior() {
        return made(behavior);
    }

    private B made(@Nullable B fromFactory) {
        return Objects.requireNonNull(fromFactory, "the factory of an actor must not return null");
    }

    /** Whether the behavior may be made more than once. */
    boolean isRestartable() {
        return restartable;
    }

    /** Makes the behavior, also for a restart: without timers and watches, and with what was put aside before all else. */
    void makeBehavior() {
        cancelTimers();
        Watching w = watches;
        if (w != null) {
            w.clear();
        }
        Stash s = stash;
        if (s != null) {
            s.takeAll(actor::putFirst);
        }
        behavior = made(factory.apply(this));
    }

    void begin(Envelope envelope) {
        current = envelope;
        stashed = false;
    }

    void done() {
        current = null;
    }

    /** The behavior's result, or that there is none yet. */
    @Nullable
    Object resultOr(@Nullable Object result) {
        return stashed ? Reply.NOT_YET : result;
    }

    boolean passRole() {
        SelectiveReceive r = receive;
        return r != null && r.passRole();
    }

    boolean hasTimers() {
        Timers<M> t = timers;
        return t != null && !t.isEmpty();
    }

    void cancelTimers() {
        Timers<M> t = timers;
        if (t != null) {
            t.cancelAll();
        }
    }

    void forEachStashed(Consumer<Envelope> action) {
        Stash s = stash;
        if (s != null) {
            s.forEach(action);
        }
    }

    /** The actor ends. What was put aside is left to the caller. */
    List<Envelope> end() {
        locked(() -> ended = true); // those that are made later know it
        Timers<M> t = timers;
        if (t != null) {
            t.end();
        }
        Watching w = watches;
        if (w != null) {
            w.end();
        }
        Stash s = stash;
        return s == null ? List.of() : s.takeAll();
    }

    private Watching watches() {
        Watching w = watches;
        return w != null ? w : locked(() -> watches = watches != null ? watches : new Watching(actor, ended));
    }

    private Timers<M> timers() {
        Timers<M> t = timers;
        return t != null ? t : locked(() -> timers = timers != null ? timers : new Timers<>(actor, ended));
    }

    private <T> T locked(Supplier<T> make) {
        actor.lifecycle().lock.lock();
        try {
            return make.get();
        } finally {
            actor.lifecycle().lock.unlock();
        }
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
    public ActorBuilder spawn() {
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
                        Objects.requireNonNull(delay, "delay"),
                        Duration.ZERO);
    }

    @Override
    public ActorTimer every(Duration period, M message) {
        Objects.requireNonNull(message, "message");
        if (period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException("the period of a timer must be positive, not " + period);
        }
        return timers().start(message, period, period);
    }

    @Override
    public void stash() {
        Envelope atWork = atWork("stash");
        if (stashed) {
            throw new IllegalStateException("actor " + actor.name() + " has put this message aside already");
        }
        if (atWork.reply == Reply.OF_SIGNAL && !((Signal) atWork.message).isMessage()) {
            throw new IllegalStateException("the end of an actor is no message that can be put aside");
        }
        Stash s = stash;
        if (s == null) {
            s = new Stash(actor, stashLimit);
            stash = s;
        }
        s.add(atWork);
        stashed = true;
        if (atWork.reply != Reply.OF_SIGNAL) { // a timer's message is not counted anyway
            actor.handledNot(actor.runnerAtWork());
        }
    }

    @Override
    public void unstashAll() {
        Envelope atWork = atWork("unstashAll");
        Stash s = stash;
        if (s != null) {
            s.takeAll(envelope -> actor.insert(envelope, atWork));
        }
    }

    @Override
    public void become(Consumer<? super M> next) {
        atWork("become");
        Objects.requireNonNull(next, "behavior");
        if (actor instanceof ReplyActor) {
            throw new IllegalStateException("actor " + actor.name() + " replies; use becomeWithReturn");
        }
        behavior = asBehavior(next);
    }

    @Override
    public void becomeWithReturn(Function<? super M, ?> next) {
        atWork("becomeWithReturn");
        Objects.requireNonNull(next, "behavior");
        if (!(actor instanceof ReplyActor)) {
            throw new IllegalStateException("actor " + actor.name() + " does not reply; use become");
        }
        behavior = asBehavior(next);
    }

    @SuppressWarnings("unchecked") // those that reply have functions as behaviors, the others consumers
    private B asBehavior(Object next) {
        return (B) next;
    }

    @Override
    @SuppressWarnings("unchecked") // what is in the mailbox of an actor of M, and no task, signal or ask, is an M
    public Optional<M> receive(Predicate<? super M> wanted, Duration timeout) {
        Objects.requireNonNull(wanted, "wanted");
        Objects.requireNonNull(timeout, "timeout");
        Envelope atWork = atWork("receive");
        try {
            SelectiveReceive r = receive;
            if (r == null) {
                r = new SelectiveReceive(actor);
                receive = r;
            }
            Envelope found = r.take(atWork, e -> e.reply == null && wanted.test((M) e.message), timeout);
            if (found == null) {
                return Optional.empty();
            }
            actor.handledToo(actor.runnerAtWork());
            return Optional.of((M) found.message);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ActorInterruptedException("interrupted while actor " + actor.name() + " waited for a message", e);
        }
    }

    private Envelope atWork(String what) {
        Envelope e = actor.kind.system().currentActors().contains(actor) ? current : null;
        if (e == null) {
            throw new IllegalStateException(
                    what + " is for the behavior of actor " + actor.name() + ", while it handles a message");
        }
        return e;
    }
}
