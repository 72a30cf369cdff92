package io.fibry.state;

import io.fibry.ActorContext;

/**
 * What the actions of a state machine see of it. For the actions themselves, while they run.
 *
 * @param <S> the type of the states
 * @param <E> the type of the events
 */
public interface StateContext<S, E> {

    /** The present state: the old one in an exit action and in the action of a transition, the new one in an entry action. */
    S state();

    /**
     * Raises an event: the machine handles it next, before all events that wait and all that are postponed, and after those that
     * the same action has raised before.
     *
     * @throws IllegalStateException if no action is at work
     */
    void raise(E event);

    /**
     * The context of the actor: for children, watches, timers that outlive a state, and results of stages. Do not call its
     * methods for messages, such as {@link ActorContext#stash} and {@link ActorContext#become}; the machine does.
     */
    ActorContext<E> actor();
}
