package io.fibry.state;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorContext;
import io.fibry.ForwardingActor;
import java.util.concurrent.CompletableFuture;

/**
 * An actor that is in one state at a time. Its messages are events; a {@link StateMachineSpec} says what it does about them.
 *
 * {@snippet class = "ShapeSnippets" region = "stateMachine"}
 *
 * <p><b>Order.</b> The rules are those of {@code gen_statem} in Erlang/OTP. The action of a transition runs in the old state; then come
 * the exit action of that state and the entry action of the new one. Next come the events that these have raised, then the postponed ones if the
 * state has changed, then the others. A transition to the same state changes nothing: no entry or exit action runs, the limit of
 * the state goes on, and postponed events stay postponed. An event that was raised and is postponed comes before the postponed
 * ones of senders.
 *
 * <p><b>Time limits.</b> The limit of a state is cancelled when the state is left, also if it has expired meanwhile.
 *
 * <p><b>Failures.</b> An event that the state does not take is refused with an {@link IllegalStateException}, which names the machine, the
 * state, the event, and the events that the state takes. As any exception of an action, it goes to the asker if the event carries
 * a {@link io.fibry.ReplyTo}, and to the log otherwise. The machine goes on with the next event. If an action of a transition or an
 * exit action has thrown, it is in the old state; if an entry action has thrown, in the new one. Raised events that still wait
 * are dropped then.
 *
 * <p><b>End.</b> A machine ends in an {@linkplain StateMachineSpec#end end state}, or when it is stopped, as any actor. Events that are
 * postponed then become dead letters.
 *
 * @param <S> the type of the states
 * @param <E> the type of the events
 */
public final class StateMachine<S, E> extends ForwardingActor<E> {

    private final Machine<S, E> machine;

    private StateMachine(Actor<E> actor, Machine<S, E> machine) {
        super(actor);
        this.machine = machine;
    }

    /**
     * Starts a machine in its initial state, whose entry action is the first to run.
     *
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    @SuppressWarnings("unchecked") // the actor takes any message, and the handle restricts them
    public static <S, E> StateMachine<S, E> start(ActorBuilder<Object> builder, StateMachineSpec<S, E> spec) {
        var machine = new CompletableFuture<Machine<S, E>>();
        Actor<Object> actor = spec.applyTo(builder).newActorFrom((ActorContext<Object> context) -> {
            var made = new Machine<>(context, spec);
            machine.complete(made);
            return made::handle;
        });
        var handle = new StateMachine<>((Actor<E>) (Actor<?>) actor, machine.join());
        handle.beFoundByName();
        return handle;
    }

    /** The present state. It may change at once. */
    public S state() {
        return machine.state();
    }

    @Override
    public StateMachine<S, E> closeOnExit(AutoCloseable... resources) {
        super.closeOnExit(resources);
        return this;
    }
}
