package io.fibry;

import io.fibry.kernel.ActorMaker;
import io.fibry.kernel.RestartableBehavior;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes actors. The options may be set in any order, and apply to every actor that the builder makes afterwards. Not
 * thread-safe.
 *
 * {@snippet class = "ActorSnippets" region = "builder"}
 *
 * <p>Every method that makes an actor throws {@link NullPointerException} if the behavior is null, and
 * {@link IllegalStateException} if the system is closed or the name is taken.
 *
 * @param <B> a supertype of the actors' messages: {@code Object}, or the type that {@link #priority} compares
 */
public final class ActorBuilder<B> {

    private final ActorMaker maker;

    ActorBuilder(ActorMaker maker) {
        this.maker = maker;
    }

    /** Returns a builder with the same options. Later changes to one of the builders do not affect the other. */
    public ActorBuilder<B> copy() {
        return new ActorBuilder<>(maker.copy());
    }

    // ---- options

    /** Sets the strategy that provides the threads of the actors. The default is the system's default strategy. */
    public ActorBuilder<B> strategy(ThreadStrategy strategy) {
        maker.strategy(Objects.requireNonNull(strategy, "strategy"));
        return this;
    }

    /**
     * Sets the policy for exceptions of the behavior. The default is {@link Supervision#resume()}. A stereotype that
     * defines the effect of its failures itself does not start with a builder that has a policy.
     */
    public ActorBuilder<B> supervision(Supervision supervision) {
        maker.supervision(Objects.requireNonNull(supervision, "supervision"));
        return this;
    }

    /**
     * Makes the actors children of another one. Children are stopped when their parent has handled its last message,
     * and the parent ends after them. If the parent has already stopped its children, making a child throws
     * {@link ActorStoppedException}.
     *
     * @throws IllegalArgumentException if the parent is not an actor of this system
     */
    public ActorBuilder<B> childOf(Actor<?> parent) {
        maker.childOf(Objects.requireNonNull(parent, "parent"));
        return this;
    }

    /**
     * Sets the phase of the system's close in which the actors are stopped. The default is {@link StopPhase#ACTORS},
     * the last phase.
     */
    public ActorBuilder<B> stopPhase(StopPhase phase) {
        maker.stopPhase(Objects.requireNonNull(phase, "phase"));
        return this;
    }

    /**
     * Sets a hook that runs when the actor is stopped, for instance to close a socket on which its behavior blocks. It
     * runs on the thread that calls {@code stop}, and again when a harder mode follows. The actor is stopped and
     * interrupted before the hook runs, so the actor may have ended by then, and its {@link #onStop} hook may have run.
     * An exception is logged. A stereotype that is started with this builder replaces the hook if it needs one itself.
     */
    public ActorBuilder<B> onStopRequested(Consumer<StopMode> hook) {
        maker.onStopRequested(Objects.requireNonNull(hook, "hook"));
        return this;
    }

    /**
     * Sets a hook that runs when the actor ends, for any reason. It runs inside the actor, after the last message and
     * the end of the last child. {@link Actor#exit} completes after it, so the hook must not wait for it. An
     * exception is logged. After a stop with {@link StopMode#INTERRUPT}, the hook begins with the interrupt status set;
     * call {@link Thread#interrupted} first if the hook has to wait. A stereotype that is started with this builder
     * replaces the hook if it needs one itself; {@link Actor#closeOnExit} adds to it.
     *
     * @param hook receives the exit as known when the hook starts. {@code exit()} has the same counts and the same
     *     cause; only a stop with {@link StopMode#INTERRUPT} while the hook runs adds the stack of the hook, and turns
     *     a normal end into an interrupted one
     */
    public ActorBuilder<B> onStop(Consumer<ActorExit> hook) {
        maker.onStop(Objects.requireNonNull(hook, "hook"));
        return this;
    }

    /**
     * Limits the number of waiting messages in the mailbox, excluding the message being handled. Code for
     * {@link Actor#execute} counts as a message. A bounded mailbox uses additional memory, and acquires a lock for each
     * ask; with {@link #priority} or {@link Overflow#DROP_OLDEST}, for each message. A stereotype whose own options
     * limit its mailbox does not start with a builder that does so.
     *
     * @throws IllegalArgumentException if the capacity is less than 1, or for {@link Overflow#DROP_OLDEST} with a
     *     priority
     */
    public ActorBuilder<B> bounded(int capacity, Overflow overflow) {
        Objects.requireNonNull(overflow, "overflow");
        if (capacity < 1) {
            throw new IllegalArgumentException("a mailbox needs room for at least one message, not for " + capacity);
        }
        maker.bounded(capacity, overflow);
        return this;
    }

    /**
     * Handles the smallest message first; equal messages in FIFO order. Code for {@link Actor#execute} comes before all
     * messages. The comparator runs on the senders' threads, under a lock: it must be quick, and must not use actors.
     * An exception of the comparator is thrown to the sender. The values that the comparator reads must not change
     * while the message waits.
     *
     * @throws IllegalArgumentException if the mailbox is bounded with {@link Overflow#DROP_OLDEST}
     */
    @SuppressWarnings("unchecked") // from here on, the builder makes only actors whose messages the comparator accepts
    public <P extends B> ActorBuilder<P> priority(Comparator<? super P> order) {
        maker.ordered(Objects.requireNonNull(order, "order"));
        return (ActorBuilder<P>) this;
    }

    /**
     * Limits the number of messages that a behavior may {@linkplain ActorContext#stash stash}. The default is 1,000.
     *
     * @throws IllegalArgumentException if the limit is less than 1
     */
    public ActorBuilder<B> stashLimit(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("the stash limit must be at least 1, not " + limit);
        }
        maker.stashLimit(limit);
        return this;
    }

    /**
     * Sets a label, whose {@code toString()} replaces the name of an unnamed actor in logs, in exceptions and in
     * {@link Actor#name}. The library calls {@code toString()} on any thread, at any time. A label need not be unique,
     * and {@link ActorSystem#find} does not look for it.
     */
    public ActorBuilder<B> label(Object label) {
        maker.label(Objects.requireNonNull(label, "label"));
        return this;
    }

    // ---- values of options

    /** Returns the system of the actors. */
    public ActorSystem system() {
        return maker.system();
    }

    /** Returns the name of the actor, or null if it has none. */
    public @Nullable String name() {
        return maker.name();
    }

    /** Returns the label, or null if none has been set. */
    public @Nullable Object label() {
        return maker.label();
    }

    /** Returns the strategy; if none has been set, the current default of the system. */
    public ThreadStrategy strategy() {
        return maker.strategy();
    }

    // ---- checks

    /**
     * Checks that neither {@link #bounded} nor {@link #priority} has been called. A method that starts an actor with
     * the builder of its caller, and sets the mailbox itself, calls it: otherwise these options would be lost.
     *
     * @param solution for the exception, such as {@code "use BatchOptions.bounded(..)"}
     * @throws IllegalArgumentException if one of these options has been set
     */
    public ActorBuilder<B> checkNoMailbox(String solution) {
        if (maker.hasMailbox()) {
            throw new IllegalArgumentException(
                    "bounded(..) and priority(..) of the builder do not apply to this actor: " + solution);
        }
        return this;
    }

    /**
     * As {@link #checkNoMailbox}, for {@link #supervision}.
     *
     * @param solution for the exception, such as {@code "use EntityOptions.supervision(..)"}
     * @throws IllegalArgumentException if the supervision has been set
     */
    public ActorBuilder<B> checkNoSupervision(String solution) {
        if (maker.hasSupervision()) {
            throw new IllegalArgumentException(
                    "supervision(..) of the builder does not apply to this actor: " + solution);
        }
        return this;
    }

    // ---- actors

    /**
     * Makes an actor that does not reply. A behavior that needs its actor's context is made by {@link #newActorFrom}.
     *
     * {@snippet class = "CallShapes" region = "plain"}
     */
    public <M extends B> Actor<M> newActor(ThrowingConsumer<M> behavior) {
        return withoutRestart().consumer(Objects.requireNonNull(behavior, "behavior"));
    }

    /**
     * Makes an actor that does not reply, from a factory of its behavior. The factory receives the actor's context. It
     * runs once in this method, and again whenever the actor is {@linkplain Supervision#restart restarted}, so each
     * restart begins with new local variables of the factory. If the first run throws, this method throws that
     * exception, and the actor ends.
     *
     * <p>If the result is not assigned to a variable with a declared type, the compiler cannot infer the type of the
     * messages from lambdas without parameter types: specify the type argument or all parameter types, or pass a
     * constructor.
     *
     * {@snippet class = "CallShapes" region = "factory"}
     */
    public <M extends B> Actor<M> newActorFrom(Function<ActorContext<M>, ThrowingConsumer<M>> factory) {
        return maker.consumerFrom(Objects.requireNonNull(factory, "factory"));
    }

    /**
     * Makes an actor that replies with the behavior's result. A behavior that needs its actor's context is made by
     * {@link #newActorWithReturnFrom}.
     *
     * {@snippet class = "CallShapes" region = "plainWithReturn"}
     */
    public <M extends B, R extends @Nullable Object> ReplyActor<M, R> newActorWithReturn(
            ThrowingFunction<M, R> behavior) {
        ActorMaker m = behavior instanceof RestartableBehavior ? maker : withoutRestart();
        return m.function(Objects.requireNonNull(behavior, "behavior"));
    }

    /**
     * Makes an actor that replies, from a factory of its behavior; otherwise as {@link #newActorFrom}.
     *
     * {@snippet class = "CallShapes" region = "factoryWithReturn"}
     */
    public <M extends B, R extends @Nullable Object> ReplyActor<M, R> newActorWithReturnFrom(
            Function<ReplyContext<M, R>, ThrowingFunction<M, R>> factory) {
        return maker.functionFrom(Objects.requireNonNull(factory, "factory"));
    }

    /**
     * Makes a supervisor and starts its children, in order. If a child cannot be started, the children that have
     * started are stopped in reverse order, and this method throws the exception. A supervisor always runs on virtual
     * threads. It ignores the options for mailboxes and failures.
     */
    public Supervisor newSupervisor(SupervisorSpec spec) {
        return new Supervisor(maker.supervisor(Objects.requireNonNull(spec, "spec")));
    }

    /**
     * Makes an actor that owns a piece of state, which may be null. It runs code on the state, and discards messages.
     */
    public <S extends @Nullable Object> Sink<S> newSink(S state) {
        return withoutRestart().sink(state);
    }

    /**
     * Makes an actor that runs a task and then ends. It takes no messages. An exception of the task is logged, and is
     * the cause in the actor's {@link ActorExit}.
     */
    public Actor<Void> runOnce(ThrowingRunnable task) {
        return maker.runOnce(Objects.requireNonNull(task, "task"));
    }

    private ActorMaker withoutRestart() {
        if (maker.supervision().mayRestart()) {
            throw new IllegalArgumentException("a restart needs a factory of behaviors: make the actor with"
                    + " newActorFrom(..) or newActorWithReturnFrom(..)");
        }
        return maker;
    }
}
