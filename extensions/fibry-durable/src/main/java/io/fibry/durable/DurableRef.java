package io.fibry.durable;

import io.fibry.ActorRef;
import io.fibry.durable.DurableMessage.Keyed;
import io.fibry.durable.DurableMessage.Plain;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A reference to a durable entity. Thread-safe.
 *
 * @param <M> the type of the messages
 * @param <R> the type of the replies
 */
public final class DurableRef<M, R extends @Nullable Object> implements ActorRef<M, R> {

    private final ActorRef<DurableMessage<M>, R> entity;

    DurableRef(ActorRef<DurableMessage<M>, R> entity) {
        this.entity = entity;
    }

    @Override
    public void tell(M message) {
        entity.tell(plain(message));
    }

    @Override
    public boolean tryTell(M message) {
        return entity.tryTell(plain(message));
    }

    @Override
    public CompletableFuture<R> ask(M message, Duration timeout) {
        return entity.ask(plain(message), timeout);
    }

    /**
     * Sends a message that is handled at most once per request key while its reply is kept, even if the client repeats
     * the ask because it does not know the outcome. The reply is stored with the effects of the message; an ask with
     * the same key returns it without calling the behavior again. If the handling fails, nothing is stored, and an ask
     * with the same key is a new attempt.
     *
     * {@snippet class = "EffectSnippets" region = "once"}
     *
     * <p>Replies are kept for {@link DurableOptions#keepReplies}. The keys of different entities are independent.
     *
     * @param requestKey identifies the request, 1 to 100 characters: a random UUID, or the number of an order. The
     *     caller uses it only for this message
     * @throws IllegalArgumentException if the key is not valid
     */
    public CompletableFuture<R> ask(M message, String requestKey, Duration timeout) {
        Names.checkRequest(requestKey);
        return entity.ask(new Keyed<>(requestKey, Objects.requireNonNull(message, "message")), timeout);
    }

    private static <M> Plain<M> plain(M message) {
        return new Plain<>(Objects.requireNonNull(message, "message"));
    }

    @Override
    public String name() {
        return entity.name();
    }

    @Override
    public String toString() {
        return name();
    }
}
