package io.fibry;

import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes actors. Options come first, in any order, and hold for every actor that the builder makes afterwards. Not for use by
 * several threads at once.
 *
 * {@snippet class = "ActorSnippets" region = "builder"}
 *
 * <p>Every method that makes an actor throws {@link NullPointerException} if it is given no behavior, and
 * {@link IllegalStateException} if the system is closed, or if the actor's name is taken.
 */
public final class ActorBuilder {

    private final LocalSystem system;
    private final @Nullable String name;
    private @Nullable Object label;
    private @Nullable ThreadStrategy strategy;
    private Supervision supervision = Supervision.resume();
    private StopPhase phase = StopPhase.ACTORS;
    private @Nullable ActorCell<?> parent;
    private @Nullable Consumer<StopMode> onStopRequested;
    private @Nullable Runnable onStop;
    private @Nullable MailboxSpec mailbox;
    private int stashLimit = Stash.DEFAULT_LIMIT;

    /** What the options above come to for an actor on a virtual thread without a name; made when first needed. */
    private @Nullable ActorKind kind;

    ActorBuilder(LocalSystem system, @Nullable String name) {
        this.system = system;
        this.name = name;
    }

    // ---- options

    /** Where the actors get their threads from; without this, the system's default strategy. */
    public ActorBuilder strategy(ThreadStrategy strategy) {
        this.strategy = Objects.requireNonNull(strategy, "strategy");
        kind = null;
        return this;
    }

    /** What becomes of an actor whose behavior throws; without this, {@link Supervision#resume()}. */
    public ActorBuilder supervision(Supervision supervision) {
        this.supervision = Objects.requireNonNull(supervision, "supervision");
        kind = null;
        return this;
    }

    /**
     * Makes children of an actor: they are stopped when it has handled its last message, and it ends when they have. The making
     * of a child fails with {@link ActorStoppedException} if the parent has got that far already.
     *
     * @throws IllegalArgumentException if the parent is not an actor of this system
     */
    public ActorBuilder childOf(Actor<?> parent) {
        Objects.requireNonNull(parent, "parent");
        if (!(ForwardingActor.unwrapped(parent) instanceof ActorCell<?> cell) || cell.kind.system() != system) {
            throw new IllegalArgumentException("the parent has to be an actor of the same system");
        }
        this.parent = cell;
        return this;
    }

    /** When the actors are stopped as the system closes; without this, last. */
    public ActorBuilder stopPhase(StopPhase phase) {
        this.phase = Objects.requireNonNull(phase, "phase");
        return this;
    }

    /**
     * A hook for the moment in which somebody stops the actor, for instance to close a socket in which its behavior waits. It
     * runs on the stopping thread, once for each mode: a stop that is made harder calls it again. An exception is logged.
     */
    public ActorBuilder onStopRequested(Consumer<StopMode> hook) {
        this.onStopRequested = Objects.requireNonNull(hook, "hook");
        return this;
    }

    /**
     * A hook for the actor's end. It runs inside the actor, after its last message and its last child, before
     * {@link Actor#exit} completes, and however the actor was stopped. An exception is logged.
     */
    public ActorBuilder onStop(Runnable hook) {
        this.onStop = Objects.requireNonNull(hook, "hook");
        return this;
    }

    /**
     * Limits the mailbox to so many messages that wait, not counting the one in work. Code for {@link Actor#execute} counts as a
     * message. A limited mailbox costs some memory and a lock for each message.
     *
     * @throws IllegalArgumentException if the capacity is less than 1, or for {@link Overflow#DROP_OLDEST} with a priority
     */
    public ActorBuilder bounded(int capacity, Overflow overflow) {
        Objects.requireNonNull(overflow, "overflow");
        if (capacity < 1) {
            throw new IllegalArgumentException("a mailbox needs room for at least one message, not for " + capacity);
        }
        mailbox = MailboxSpec.bounded(capacity, overflow, mailbox);
        return this;
    }

    /**
     * Handles the messages that wait in this order, the smallest first, and those that are equal in it in the order of their
     * arrival. Code for {@link Actor#execute} comes before all messages. The comparator runs on the senders' threads, under a
     * lock, so it must be quick and must not use actors; what it throws, the sender gets. While a message waits, what it is
     * compared by must not change.
     *
     * @throws IllegalArgumentException if the mailbox is bounded with {@link Overflow#DROP_OLDEST}
     */
    public ActorBuilder priority(Comparator<?> order) {
        mailbox = MailboxSpec.ordered(Objects.requireNonNull(order, "order"), mailbox);
        return this;
    }

    /**
     * How many messages a behavior may {@linkplain ActorContext#stash put aside}; without this, 1,000.
     *
     * @throws IllegalArgumentException if the limit is less than 1
     */
    public ActorBuilder stashLimit(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("a limit of " + limit + " leaves nothing to put aside; use at least 1");
        }
        stashLimit = limit;
        return this;
    }

    /**
     * What logs, exceptions and {@link Actor#name} call an actor that has no name: the label's {@code toString()}, which is called
     * each time that they need it, by any thread. Several actors may have the same label, and nobody is found by it.
     */
    public ActorBuilder label(Object label) {
        this.label = Objects.requireNonNull(label, "label");
        return this;
    }

    // ---- names

    /**
     * The living actor with this builder's name. What type of messages it takes, the caller has to know.
     *
     * @throws IllegalStateException if the builder has no name
     */
    @SuppressWarnings("unchecked")
    public <M> Optional<Actor<M>> find() {
        return (Optional<Actor<M>>) (Optional<?>) system.find(requireName("find"));
    }

    /**
     * The living actor with this builder's name, if it is one that replies. What types of messages and replies it has, the caller has
     * to know.
     *
     * @throws IllegalStateException if the builder has no name
     */
    @SuppressWarnings("unchecked")
    public <M, R extends @Nullable Object> Optional<ReplyActor<M, R>> findWithReturn() {
        return system.find(requireName("findWithReturn"))
                .filter(ReplyActor.class::isInstance)
                .map(actor -> (ReplyActor<M, R>) actor);
    }

    /**
     * The living actor with this builder's name, or else the address of the one that will have it. The address keeps up to
     * {@code capacity} messages, and refuses more with {@link MailboxFullException}. An actor that gets the name gets these messages
     * before all others, and from then on the address is a handle to it. If the address is stopped before that, or the system closes,
     * they are dead letters, and the name is free.
     *
     * @throws IllegalStateException if the builder has no name, or the system is closed
     * @throws IllegalArgumentException if the capacity is less than 1
     */
    @SuppressWarnings("unchecked")
    public <M> Actor<M> findOrExpect(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("room for " + capacity + " messages keeps none; use at least 1");
        }
        return (Actor<M>) system.findOrExpect(requireName("findOrExpect"), capacity);
    }

    private String requireName(String what) {
        if (name == null) {
            throw new IllegalStateException(what + " needs a name; begin with named(..) or actor(name)");
        }
        return name;
    }

    // ---- actors

    /** Makes an actor that does not reply. */
    public <M> Actor<M> newActor(Consumer<? super M> behavior) {
        return started(new ConsumerCell<M>(kind(), Objects.requireNonNull(behavior, "behavior")));
    }

    /** Makes an actor that does not reply, and whose behavior sees its context. */
    public <M> Actor<M> newActor(BiConsumer<? super M, ? super ActorContext<M>> behavior) {
        Objects.requireNonNull(behavior, "behavior");
        return begun(new ConsumerCell.WithContext<M>(
                kind(), stashLimit, false, context -> message -> behavior.accept(message, context)));
    }

    /**
     * Makes an actor that does not reply, by a factory that makes its behavior, and makes it anew when the actor is
     * {@linkplain Supervision#restart restarted}. The first time it runs here, and what it throws is thrown here; the actor then
     * ends.
     */
    public <M> Actor<M> newActorFrom(Function<? super ActorContext<M>, ? extends Consumer<? super M>> factory) {
        return begun(new ConsumerCell.WithContext<M>(
                kindOfRenewable(), stashLimit, true, Objects.requireNonNull(factory, "factory")));
    }

    /** Makes an actor that replies with the behavior's result. */
    public <M, R extends @Nullable Object> ReplyActor<M, R> newActorWithReturn(
            Function<? super M, ? extends R> behavior) {
        return started(new FunctionCell.Plain<M, R>(kind(), Objects.requireNonNull(behavior, "behavior")));
    }

    /** Makes an actor that replies with the behavior's result, and whose behavior sees its context. */
    public <M, R extends @Nullable Object> ReplyActor<M, R> newActorWithReturn(
            BiFunction<? super M, ? super ActorContext<M>, ? extends R> behavior) {
        Objects.requireNonNull(behavior, "behavior");
        return begun(new FunctionCell.WithContext<M, R>(
                kind(), stashLimit, false, context -> message -> behavior.apply(message, context)));
    }

    /** Makes an actor that replies, by a factory that makes its behavior; otherwise as {@link #newActorFrom}. */
    public <M, R extends @Nullable Object> ReplyActor<M, R> newActorWithReturnFrom(
            Function<? super ActorContext<M>, ? extends Function<? super M, ? extends R>> factory) {
        return begun(new FunctionCell.WithContext<M, R>(
                kindOfRenewable(), stashLimit, true, Objects.requireNonNull(factory, "factory")));
    }

    /**
     * Makes a supervisor and starts its children, in order. If a child cannot be started, those that have been started are stopped
     * in reverse order, and the exception is thrown here. A supervisor runs on virtual threads, whatever the strategy, and has no
     * use for the options of a mailbox and of failures.
     */
    public Supervisor newSupervisor(SupervisorSpec spec) {
        Objects.requireNonNull(spec, "spec");
        var cell = new SupervisorCell(system.kind(ThreadStrategy.virtual(), Supervision.stop()), spec);
        cell.becomeConsumer();
        cell.setOptions(options(null));
        system.start(cell);
        cell.startChildren();
        return new Supervisor(cell);
    }

    /** Makes an actor that discards its messages and runs code on a piece of state, which may be null. */
    public <S extends @Nullable Object> Sink<S> newSink(S state) {
        return started(new SinkCell<S>(kind(), state));
    }

    /**
     * Makes an actor that runs a task and then ends. It takes no messages. If the task throws, the exception is logged, and is
     * the cause of the actor's {@link ActorExit}.
     */
    public Actor<Void> runOnce(ThrowingRunnable task) {
        Objects.requireNonNull(task, "task");
        var once = new RunOnceCell(system.kind(strategy(), Supervision.stop()));
        once.accept(task, options(null)); // it has no mailbox to limit
        system.start(once);
        once.ready();
        return once.asActor();
    }

    private ActorKind kind() {
        if (supervision.mayRestart()) {
            throw new IllegalArgumentException("a restart needs a factory of behaviors: make the actor with"
                    + " newActorFrom(..) or newActorWithReturnFrom(..)");
        }
        return kindOfRenewable();
    }

    private ActorKind kindOfRenewable() {
        ActorKind k = kind;
        if (k == null) {
            k = system.kind(strategy(), supervision);
            kind = k;
        }
        return k;
    }

    private ThreadStrategy strategy() {
        return strategy != null ? strategy : system.defaultStrategy();
    }

    /** Has the actor make its behavior before it can handle a message. */
    private <C extends ActorCell<?>> C begun(C actor) {
        actor.becomeConsumer();
        started(actor);
        Beginning.of(actor);
        return actor;
    }

    private <C extends ActorCell<?>> C started(C actor) {
        ActorOptions options = options(mailbox);
        boolean known = options.holdSomething() || actor.kind.dispatcher().holdsThreads();
        if (known || mailbox != null || label != null) {
            actor.setOptions(options);
        }
        if (known) {
            system.start(actor);
        } else {
            system.checkOpen();
        }
        return actor;
    }

    private ActorOptions options(@Nullable MailboxSpec mailbox) {
        return new ActorOptions(name, label, parent, phase, onStopRequested, onStop, mailbox);
    }
}
