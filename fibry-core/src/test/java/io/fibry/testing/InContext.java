package io.fibry.testing;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorContext;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Actors whose messages are code that runs on their context. */
public final class InContext {

    /** The code. */
    @FunctionalInterface
    public interface Code extends Consumer<ActorContext<Code>> {}

    private InContext() {}

    public static Actor<Code> actor(ActorBuilder<Object> builder) {
        return builder.newActorFrom(context -> code -> code.accept(context));
    }

    /** The context of such an actor, for other threads. */
    public static ActorContext<Code> of(Actor<Code> actor) {
        var context = new CompletableFuture<ActorContext<Code>>();
        actor.tell(context::complete);
        return Await.value(context);
    }

    /** Returns when the actor has run the code. */
    public static void run(Actor<Code> actor, Code code) {
        var done = new CompletableFuture<Boolean>();
        actor.tell(context -> {
            try {
                code.accept(context);
                done.complete(true);
            } catch (Throwable t) {
                done.completeExceptionally(t);
                throw t;
            }
        });
        Await.value(done);
    }
}
