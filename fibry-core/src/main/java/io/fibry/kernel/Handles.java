package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.ForwardingActor;
import io.fibry.MetricSource;
import io.fibry.ReplyActor;
import org.jspecify.annotations.Nullable;

/** The handles of actors: a {@link ForwardingActor} may replace the actor that {@code find} returns. */
public final class Handles {

    private Handles() {}

    /** Makes {@code find} return this handle if its actor has a name, and reads its metrics if it has any. */
    public static void publish(ForwardingActor<?> handle) {
        if (unwrapped(handle) instanceof ActorCell<?> cell
                && (handle instanceof MetricSource || cell.lifecycle().name != null)) {
            cell.lifecycle().rareState().handle = handle;
        }
    }

    /** Returns the handle that users find: the actor itself, unless another handle has been published. */
    static Actor<?> found(Actor<?> owner) {
        RareState rareState =
                owner instanceof ActorCell<?> cell ? cell.lifecycle().rareStateIfAny() : null;
        Actor<?> handle = rareState == null ? null : rareState.handle;
        return handle == null ? owner : handle;
    }

    /** As {@link #found}; the actor itself if the handle does not reply, null if neither replies. */
    static @Nullable ReplyActor<?, ?> foundWithReturn(@Nullable Actor<?> owner) {
        if (owner instanceof ReplyActor<?, ?> actor) {
            return found(actor) instanceof ReplyActor<?, ?> handle ? handle : actor;
        }
        return null;
    }

    /** Returns the actor behind a handle, which may be the handle itself. */
    public static Actor<?> unwrapped(Actor<?> actor) {
        Actor<?> a = actor;
        while (a instanceof ForwardingActor<?> f) {
            a = f.delegate();
        }
        return a instanceof PlaceholderActor<?> placeholder ? placeholder.orItself() : a;
    }

    /**
     * As {@link #unwrapped}, for an actor that can be watched.
     *
     * @throws IllegalArgumentException if it is not an actor of this library, or does not exist yet
     */
    public static Actor<?> existing(Actor<?> actor) {
        return ActorCell.of(actor);
    }
}
