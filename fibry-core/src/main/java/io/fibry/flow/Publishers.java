package io.fibry.flow;

import io.fibry.Actor;
import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.Overflow;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Publishers of items that actors yield or forward. For each subscription, an actor on a virtual thread waits for the
 * demand of the subscriber and sends the items. Any thread may subscribe.
 *
 * <p>If the system is closed, or the actor of the subscription is stopped, the subscriber receives an
 * {@link ActorStoppedException}.
 */
public final class Publishers {

    private Publishers() {}

    /**
     * Returns a publisher that reads a source with backpressure. If the source refuses a second iterator, further
     * subscribers receive its exception.
     *
     * @param release frees the source; called when the subscriber cancels, or when the reading fails or cannot begin
     */
    public static <T> Flow.Publisher<T> ofIterable(ActorSystem system, Iterable<T> source, Runnable release) {
        Objects.requireNonNull(source, "source");
        return new IterablePublisher<>(system, source, release);
    }

    /**
     * Returns a publisher of the messages that another actor forwards to its subscribers. A subscriber receives the
     * messages forwarded after its subscription. When the source ends, subscribers receive their waiting items and
     * complete; if it has failed or was interrupted, they receive an {@link ActorStoppedException}.
     *
     * @param subscribe subscribes an actor to the source; the source must remove the actor when it ends
     * @param capacity the number of items that may wait for each subscriber
     * @param overflow the policy for further items: drop the oldest or the newest
     * @throws IllegalArgumentException if the capacity is less than 1, or for another overflow policy
     */
    public static <T> Flow.Publisher<T> ofActor(
            ActorSystem system, Actor<?> source, Consumer<Actor<T>> subscribe, int capacity, Overflow overflow) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be at least 1, not " + capacity);
        }
        if (overflow != Overflow.DROP_OLDEST && overflow != Overflow.DROP_NEWEST) {
            throw new IllegalArgumentException(
                    "a publisher that waits for no subscriber drops items: use DROP_OLDEST or" + " DROP_NEWEST, not "
                            + overflow);
        }
        Objects.requireNonNull(source, "source");
        return new ActorPublisher<>(system, source, subscribe, capacity, overflow);
    }

    /** Creates the failure for subscribers whose serving actor has ended. */
    static ActorStoppedException stopped(Object source, @Nullable Throwable cause) {
        return new ActorStoppedException("the publisher of " + source + " was stopped before its end", cause);
    }
}
