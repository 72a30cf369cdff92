package io.fibry.kernel;

import io.fibry.ThrowingConsumer;
import io.fibry.ThrowingFunction;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the behavior of an actor at its end, so that a handle of the actor does not keep its state in memory.
 * Without this, a child that is dead but not collected yet, and that refers to its parent, would keep the states of all
 * its ancestors.
 *
 * @param type the class of the behavior
 */
record EndedBehavior<M, R extends @Nullable Object>(Class<?> type)
        implements ThrowingConsumer<M>, ThrowingFunction<M, R> {

    /** Returns the class of a behavior, also after the end of its actor. */
    static Class<?> typeOf(Object behavior) {
        return behavior instanceof EndedBehavior<?, ?> ended ? ended.type : behavior.getClass();
    }

    /** As {@link #typeOf(Object)}; the class of the context if it has no behavior yet. */
    static Class<?> typeOf(@Nullable Object behavior, Object context) {
        return typeOf(behavior == null ? context : behavior);
    }

    /** Never called: an actor that has ended accepts no message. */
    @Override
    public void accept(M message) {
        throw new IllegalStateException("the actor has ended");
    }

    @Override
    public R apply(M message) {
        throw new IllegalStateException("the actor has ended");
    }
}
