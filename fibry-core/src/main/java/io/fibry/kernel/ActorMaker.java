package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorContext;
import io.fibry.ActorExit;
import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import io.fibry.ReplyContext;
import io.fibry.Sink;
import io.fibry.StopMode;
import io.fibry.StopPhase;
import io.fibry.Supervision;
import io.fibry.SupervisorSpec;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingConsumer;
import io.fibry.ThrowingFunction;
import io.fibry.ThrowingRunnable;
import io.fibry.dispatch.LogText;
import io.fibry.dispatch.OutOfMemory;
import io.fibry.dispatch.StackRoom;
import java.util.Comparator;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes and starts the actors of an {@link ActorBuilder}, which checks the arguments. Not thread-safe. */
public final class ActorMaker {

    private static final BiConsumer<ActorCell<?>, ActorCell<?>> AWAIT = ActorMaker::await;
    private static final BiConsumer<ActorCell<?>, Runnable> THEN = ActorMaker::then;

    private final LocalSystem system;
    private final @Nullable String name;
    private @Nullable ThreadStrategy strategy;
    private @Nullable Supervision supervision;
    private @Nullable ActorCell<?> parent;
    private @Nullable Actor<?> predecessor;
    private ActorOptions options = ActorOptions.NONE;
    private int stashLimit = Stash.DEFAULT_LIMIT;

    /** The strategy and the supervision for the next actor. Created on first use. */
    private @Nullable ActorKind kind;

    private ActorMaker(LocalSystem system, @Nullable String name) {
        this.system = system;
        this.name = name;
    }

    /** Returns a maker of actors of this system, without a name. */
    public static ActorMaker of(ActorSystem system) {
        return new ActorMaker((LocalSystem) system, null);
    }

    /** Returns a maker of an actor with this name. */
    public static ActorMaker of(ActorSystem system, String name) {
        return new ActorMaker((LocalSystem) system, NameRegistry.require(name));
    }

    /** Returns a maker with the same options. */
    public ActorMaker copy() {
        var copy = new ActorMaker(system, name);
        copy.strategy = strategy;
        copy.supervision = supervision;
        copy.parent = parent;
        copy.predecessor = predecessor;
        copy.options = options;
        copy.stashLimit = stashLimit;
        copy.kind = strategy == null ? null : kind(); // without a strategy, the default may change
        return copy;
    }

    // ---- options

    public void strategy(ThreadStrategy strategy) {
        this.strategy = strategy;
        kind = null;
    }

    public void supervision(Supervision supervision) {
        this.supervision = supervision;
        kind = null;
    }

    public void childOf(Actor<?> parent) {
        if (!(Handles.unwrapped(parent) instanceof ActorCell<?> cell) || cell.kind.system() != system) {
            throw new IllegalArgumentException("the parent has to be an actor of the same system");
        }
        this.parent = cell;
        predecessor = parent instanceof PlaceAfter<?> place ? place.predecessor() : null;
    }

    public void stopPhase(StopPhase phase) {
        options = options.withStopPhase(phase);
    }

    public void onStopRequested(Consumer<StopMode> hook) {
        options = options.withOnStopRequested(hook);
    }

    public void onStop(Consumer<ActorExit> hook) {
        options = options.withOnStop(hook);
    }

    public void bounded(int capacity, Overflow overflow) {
        options = options.withMailbox(MailboxSpec.bounded(capacity, overflow, options.mailbox()));
    }

    public void ordered(Comparator<?> order) {
        options = options.withMailbox(MailboxSpec.ordered(order, options.mailbox()));
    }

    public void stashLimit(int limit) {
        stashLimit = limit;
    }

    public void label(Object label) {
        options = options.withLabel(label);
    }

    public ActorSystem system() {
        return system;
    }

    public @Nullable String name() {
        return name;
    }

    public @Nullable Object label() {
        return options.label();
    }

    /** Returns the strategy that has been set, or else the present default of the system. */
    public ThreadStrategy strategy() {
        return strategy != null ? strategy : system.defaultStrategy();
    }

    /** Returns the policy that has been set, or else the default. */
    public Supervision supervision() {
        return supervision != null ? supervision : Supervision.resume();
    }

    public boolean hasSupervision() {
        return supervision != null;
    }

    /** Whether the mailbox has been limited or ordered. */
    public boolean hasMailbox() {
        return options.mailbox() != null;
    }

    // ---- actors

    public <M> Actor<M> consumer(ThrowingConsumer<M> behavior) {
        return started(new ConsumerCell<M>(kind(), behavior));
    }

    public <M> Actor<M> consumerFrom(Function<ActorContext<M>, ThrowingConsumer<M>> factory) {
        return begun(new ConsumerCell.WithContext<M>(kind(), stashLimit, factory));
    }

    public <M, R extends @Nullable Object> ReplyActor<M, R> function(ThrowingFunction<M, R> behavior) {
        return started(new FunctionCell.Plain<M, R>(kind(), behavior));
    }

    public <M, R extends @Nullable Object> ReplyActor<M, R> functionFrom(
            Function<ReplyContext<M, R>, ThrowingFunction<M, R>> factory) {
        return begun(new FunctionCell.WithContext<M, R>(kind(), stashLimit, factory));
    }

    public <S extends @Nullable Object> Sink<S> sink(S state) {
        return started(new SinkCell<S>(kind(), state));
    }

    public SupervisorCell supervisor(SupervisorSpec spec) {
        var cell = new SupervisorCell(system.kind(ThreadStrategy.virtual(), Supervision.stop()), spec);
        StackRoom.require(); // as in started
        cell.becomeConsumer();
        cell.setLifecycle(lifecycle(options.withMailbox(null)));
        system.start(cell);
        cell.startChildren();
        return cell;
    }

    public Actor<Void> runOnce(ThrowingRunnable task) {
        var once = new RunOnceCell(system.kind(strategy(), Supervision.stop()));
        once.accept(task);
        Runnable begin = beginning(once, once::ready);
        started(once, options.withMailbox(null)); // it has no mailbox to limit
        afterPredecessor(once, begin);
        return once.asActor();
    }

    private ActorKind kind() {
        ActorKind k = kind;
        if (k == null) {
            k = system.kind(strategy(), supervision());
            kind = k;
        }
        return k;
    }

    /** Starts an actor with a factory. It makes its behavior before it handles a message. */
    private <C extends ActorCell<?>> C begun(C actor) {
        actor.becomeConsumer();
        Runnable begin = beginning(actor, actor::releaseRole);
        started(actor, options);
        Restarts.begin(actor);
        afterPredecessor(actor, begin);
        return actor;
    }

    private <C extends ActorCell<?>> C started(C actor) {
        if (predecessor == null) {
            return started(actor, options);
        }
        actor.becomeConsumer();
        Runnable begin = beginning(actor, actor::releaseRole);
        started(actor, options);
        afterPredecessor(actor, begin);
        return actor;
    }

    /**
     * Returns the last step of a start. It is allocated before the start: a started actor must begin even if memory
     * runs out.
     */
    private Runnable beginning(ActorCell<?> actor, Runnable begin) {
        return predecessor == null
                ? begin
                : () -> {
                    actor.lifecycle().rareState().predecessor = null;
                    begin.run();
                };
    }

    /**
     * Begins an actor whose consumer's role this builder holds. While the actor waits for its predecessor, the role
     * stays taken but no thread exercises it, so no turn begins: neither for a message nor for a stop, which both leave
     * their work in the mailbox. The end of the predecessor exercises the role, also if the predecessor ended before
     * this call, and {@code releaseRole} then finds everything that has arrived since.
     */
    private void afterPredecessor(ActorCell<?> actor, Runnable begin) {
        if (predecessor == null) {
            begin.run();
            return;
        }
        ActorCell<?> before = ActorCell.of(predecessor);
        OutOfMemory.repeat(AWAIT, actor, before);
        OutOfMemory.repeat(THEN, before, begin);
        WaitGraph.lookFrom(actor);
        system.turnsEnded(); // from now on, this actor does not count as busy
    }

    /** Publishes the wait for the predecessor, until its end, which exercises the role. */
    private static void await(ActorCell<?> actor, ActorCell<?> before) {
        actor.lifecycle().rareState().predecessor = WaitGraph.held(WaitGraph.Kind.EXIT, before);
    }

    private static void then(ActorCell<?> before, Runnable begin) {
        CompletableFuture<Void> unused = before.lifecycle().exit().thenRun(begin);
    }

    /**
     * The predecessor must be a sibling: an ancestor would wait for this actor, and a close of the parent or of the
     * system finds both siblings.
     */
    private void checkPredecessor(Actor<?> before) {
        boolean sibling = Handles.unwrapped(before) instanceof ActorCell<?> cell
                && parent != null
                && cell.ancestry() != null
                && parent == cell.lifecycle().parent();
        if (!sibling) {
            throw new IllegalArgumentException("actor " + LogText.plain(before.name())
                    + " cannot be the predecessor of an actor with another parent");
        }
    }

    private <C extends ActorCell<?>> C started(C actor, ActorOptions options) {
        StackRoom.require(); // a start must neither remain incomplete nor leave a lock held
        if (predecessor != null) {
            checkPredecessor(predecessor);
        }
        boolean known = name != null
                || parent != null
                || options.holdSomething()
                || actor.kind.dispatcher().holdsThreads();
        if (known || options != ActorOptions.NONE) {
            actor.setLifecycle(lifecycle(options));
        }
        if (known) {
            system.start(actor);
        } else {
            system.made(actor);
        }
        return actor;
    }

    private Lifecycle lifecycle(ActorOptions options) {
        return new Lifecycle(name, parent, options, mailbox(options.mailbox()));
    }

    /** The mailbox with these options; null if it is unbounded and in FIFO order. */
    static @Nullable BoundedMailbox mailbox(@Nullable MailboxSpec spec) {
        if (spec == null) {
            return null;
        }
        return spec.order() == null && !spec.alwaysMakesRoom() ? new FifoMailbox(spec) : new LockedMailbox(spec);
    }
}
