package io.fibry.durable;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The effect of a message on an entity: its events and the reply. See {@link EventSourced#decide}.
 *
 * @param events the events in order; empty if nothing has changed
 * @param reply the reply to an ask
 * @param <E> the type of the events
 * @param <R> the type of the replies; {@link Void} if there are none
 */
public record Decision<E, R extends @Nullable Object>(List<E> events, R reply) {

    /** Creates a decision. */
    public Decision {
        events = List.copyOf(events);
    }

    /** Returns a decision with one event and a reply. */
    public static <E, R extends @Nullable Object> Decision<E, R> to(E event, R reply) {
        return new Decision<>(List.of(event), reply);
    }

    /** Returns a decision with one event, without a reply. */
    public static <E> Decision<E, @Nullable Void> to(E event) {
        return to(event, null);
    }

    /** Returns a reply without an event: nothing is stored. */
    public static <E, R extends @Nullable Object> Decision<E, R> none(R reply) {
        return new Decision<>(List.of(), reply);
    }
}
