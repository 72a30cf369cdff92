package io.fibry.flow;

import io.fibry.Actor;
import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.Overflow;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.function.Consumer;

/**
 * Publishers of what actors yield or pass on. Each subscription is served by an actor of its own, on a virtual thread: it waits there
 * until its subscriber has requested items. Any thread may subscribe.
 *
 * <p>If the system is closed, or the serving actor is stopped, its subscriber gets an {@link ActorStoppedException}.
 */
public final class Publishers {

    private Publishers() {}

    /**
     * A publisher that reads a source with back-pressure. It reads once: if the source refuses a second iterator, further subscribers
     * get that exception.
     *
     * @param release frees the source; called when the subscriber cancels or the reading fails
     */
    public static <T> Flow.Publisher<T> ofIterable(ActorSystem system, Iterable<T> source, Runnable release) {
        Objects.requireNonNull(source, "source");
        return new IterablePublisher<>(system, source, release);
    }

    /**
     * A publisher of what another actor passes on to its subscribers, from the moment of each subscription. When the source has
     * ended, the subscribers get what waits for them, and complete; if it has failed or was interrupted, they get an
     * {@link ActorStoppedException}.
     *
     * @param subscribe makes an actor a subscriber of the source, which drops it when it ends
     * @param capacity how many items may wait for each subscriber
     * @param overflow what happens to an item if so many wait already: the oldest one is dropped, or this one
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

    /** The failure that a subscriber gets if nobody serves it any more. */
    static ActorStoppedException stopped(Object source) {
        return new ActorStoppedException("the publisher of " + source + " was stopped before its end", null);
    }
}
