package io.fibry.state;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorContext;
import io.fibry.ForwardingActor;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An actor that is in one state at a time. Its messages are events; a {@link StateMachineSpec} defines the transitions
 * and actions that they cause.
 *
 * {@snippet class = "ShapeSnippets" region = "stateMachine"}
 *
 * <p><b>Order.</b> The rules follow {@code gen_statem} in Erlang/OTP. The action of a transition runs in the old state,
 * followed by the exit action of that state and the entry action of the new one. Then the events raised by these
 * actions are handled, then the postponed ones if the state has changed, then all others. A transition to the same
 * state is not a change: no entry or exit action runs, the time limit of the state continues, and postponed events stay
 * postponed. Postponed events that were raised come before postponed events of senders.
 *
 * <p><b>Time limits.</b> The time limit of a state is cancelled when the state is left, even if it has expired in the
 * meantime. If the exit action throws when the time has elapsed, the time limit begins again.
 *
 * <p><b>Failures.</b> An event that the state does not accept is refused with an {@link IllegalStateException}, which
 * names the machine, the state, the event, and the events that the state accepts. Like any exception of an action, it
 * completes the ask if the event carries a {@link io.fibry.ReplyTo}, and is logged otherwise. The machine continues
 * with the next event. If the action of a transition or an exit action has thrown, the machine is in the old state; if
 * an entry action has thrown, in the new one. Raised events that are still waiting are dropped.
 *
 * <p><b>Restarts.</b> With {@link io.fibry.Supervision#restart}, a failure makes the machine begin again in its initial
 * state: the entry action runs, and then the postponed events of senders are handled. If the entry action throws, it
 * runs again before the machine handles an event.
 *
 * <p><b>End.</b> A machine ends in an {@linkplain StateMachineSpec#terminal end state}, or when it is stopped, like any
 * actor. Postponed events then become dead letters.
 *
 * @param <S> the type of the states
 * @param <E> the type of the events
 */
public final class StateMachine<S, E> extends ForwardingActor<E> {

    /** Set by the start and by each restart. */
    private final AtomicReference<@Nullable Machine<S, E>> machine;

    private StateMachine(Actor<E> actor, AtomicReference<@Nullable Machine<S, E>> machine) {
        super(actor);
        this.machine = machine;
    }

    /**
     * Starts a machine in its initial state, whose entry action is the first to run.
     *
     * @throws IllegalArgumentException if the builder has {@link ActorBuilder#bounded} or
     *     {@link ActorBuilder#priority}: the specification has the limit of the mailbox
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    @SuppressWarnings("unchecked") // the actor accepts any message, and the handle restricts them
    public static <S, E> StateMachine<S, E> start(ActorBuilder<Object> builder, StateMachineSpec<S, E> spec) {
        var machine = new AtomicReference<@Nullable Machine<S, E>>();
        Actor<Object> actor = spec.applyTo(builder.checkNoMailbox("use StateMachineSpec.bounded(..)")
                        .copy())
                .newActorFrom((ActorContext<Object> context) -> {
                    var made = new Machine<>(context, spec, machine.get());
                    machine.set(made);
                    return made::handle;
                });
        var handle = new StateMachine<>((Actor<E>) (Actor<?>) actor, machine);
        handle.beFoundByName();
        return handle;
    }

    /** Returns the current state. The value is a snapshot. */
    public S state() {
        return Objects.requireNonNull(machine.get()).state();
    }

    @Override
    public StateMachine<S, E> closeOnExit(AutoCloseable... resources) {
        super.closeOnExit(resources);
        return this;
    }
}
