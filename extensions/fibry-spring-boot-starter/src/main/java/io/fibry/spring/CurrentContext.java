package io.fibry.spring;

import io.fibry.ActorContext;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The context of the actor whose behavior bean the calling thread creates: a value to inject. A restart creates the
 * behavior on the thread of the actor, and the start on the thread that creates the bean of the actor.
 */
final class CurrentContext {

    private static final ThreadLocal<@Nullable ActorContext<?>> CURRENT = new ThreadLocal<>();

    private CurrentContext() {}

    /** Creates a behavior for the actor with this context. Its creation may create other actors. */
    static <B> B with(ActorContext<?> context, Supplier<B> creation) {
        ActorContext<?> outer = CURRENT.get();
        CURRENT.set(context);
        try {
            return creation.get();
        } finally {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
    }

    /** @throws InvalidActorException if the thread does not create a behavior */
    static ActorContext<?> get() {
        ActorContext<?> context = CURRENT.get();
        if (context == null) {
            throw new InvalidActorException(
                    "A bean that is not the behavior of an actor has a parameter of the type ActorContext.",
                    "Use @FibryActor and @Scope(\"prototype\") for the bean, or pass the context from such a bean.");
        }
        return context;
    }
}
