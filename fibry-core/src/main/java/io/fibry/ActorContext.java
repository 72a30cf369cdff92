package io.fibry;

/**
 * What a behavior sees of its own actor. It is handed to the behaviors that ask for it, and any thread may use it, at
 * any time.
 *
 * @param <M> the type of the actor's messages
 */
public interface ActorContext<M> {

    /** The actor itself, for instance to give others an address for their replies. */
    Actor<M> self();

    /** The system that the actor belongs to. */
    ActorSystem system();

    /**
     * A builder of children: actors that are stopped with this one, and end before it does. They run on the default strategy
     * of their system unless told otherwise, whatever this one runs on.
     */
    ActorBuilder spawn();
}
