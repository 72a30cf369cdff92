package io.fibry;

import java.util.List;

/**
 * An actor with numbers of its own, such as a server. A {@link ForwardingActor} that implements it, and calls
 * {@link ForwardingActor#beFoundByName} when it is complete, is part of {@link ActorSystem#measures()} until it ends, if it has a
 * name. With a label instead of a name, it is part as long as the system knows it: see {@link ActorSystem#dump}. The system adds
 * the tag {@code server}, with the name or the label. Measures and labels should be few: monitoring systems remember each value
 * of a tag.
 */
public interface Measured {

    /**
     * The numbers now. Called by any thread, perhaps by several at once, and perhaps a little after the end of the actor; it must be
     * quick. If it throws, that is logged, and this actor is left out.
     */
    List<Measure> measures();
}
