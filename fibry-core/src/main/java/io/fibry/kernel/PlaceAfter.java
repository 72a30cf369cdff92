package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ForwardingActor;
import java.util.Objects;

/**
 * A parent for {@link ActorBuilder#childOf} whose next child begins after the end of another child. Until then the new
 * child accepts messages, and holds no thread. For a successor that must not run concurrently with its predecessor. A
 * child that is stopped while it waits also ends after its predecessor.
 *
 * <p>A child of this parent cannot be made if its predecessor has another parent: the builder throws
 * {@link IllegalArgumentException}.
 */
public final class PlaceAfter<M> extends ForwardingActor<M> {

    private final Actor<?> predecessor;

    /** The place of a child of this parent that begins after the predecessor, another child of it. */
    public PlaceAfter(Actor<M> parent, Actor<?> predecessor) {
        super(parent);
        this.predecessor = Objects.requireNonNull(predecessor, "predecessor");
    }

    Actor<?> predecessor() {
        return predecessor;
    }
}
