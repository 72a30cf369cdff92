package io.fibry;

import java.util.List;

/**
 * An actor with numbers of its own, such as a server. A {@link ForwardingActor} that implements it, and calls
 * {@link ForwardingActor#beFoundByName} when it is complete, is part of {@link ActorSystem#measures()} until it ends, also if it has
 * no name. The system adds the tag {@code server}, with the name of the actor.
 */
public interface Measured {

    /** The numbers now. Called by any thread, perhaps by several at once; it must be quick. */
    List<Measure> measures();
}
