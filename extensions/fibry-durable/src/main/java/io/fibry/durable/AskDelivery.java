package io.fibry.durable;

import io.fibry.ActorRef;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Asks an actor, and waits for its reply: a message that was only accepted would be lost with the actor. */
final class AskDelivery<E, R extends @Nullable Object> implements Delivery<E> {

    private final ActorRef<? super Recorded<E>, R> actor;
    private final Duration timeout;

    AskDelivery(ActorRef<? super Recorded<E>, R> actor, Duration timeout) {
        this.actor = actor;
        this.timeout = Objects.requireNonNull(timeout, "timeout");
    }

    @Override
    public boolean deliver(Recorded<E> event, Lease lease) throws Exception {
        try {
            actor.ask(event, timeout).get();
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }
}
