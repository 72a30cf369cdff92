package io.fibry.state;

import io.fibry.ActorContext;

/**
 * A state machine as seen by its actions. Only a running action may use it.
 *
 * @param <S> the type of the states
 * @param <E> the type of the events
 */
public interface StateContext<S, E> {

    /**
     * Returns the current state: the old one in an exit action and in the action of a transition, the new one in an
     * entry action.
     */
    S state();

    /**
     * Raises an event: the machine handles it next, before all waiting and postponed events, and after the events that
     * the same action has raised before.
     *
     * @throws IllegalStateException if no action is running
     */
    void raise(E event);

    /**
     * Returns the context of the actor: for children, watches, timers that outlive a state, and results of stages. Do
     * not call its methods for messages, such as {@link ActorContext#stash} and {@link ActorContext#become}, which are
     * reserved for the machine.
     */
    ActorContext<E> actor();
}
