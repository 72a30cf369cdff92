package io.fibry.durable;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a message to an entity: its events, the reply and further effects. See {@link EventSourced#decide}.
 *
 * @param events the events in order; empty if nothing has changed
 * @param reply the reply to an ask
 * @param effects messages, publications and reminders, in order
 * @param <E> the type of the events
 * @param <R> the type of the replies; {@link Void} if there are none
 */
public record Decision<E, R extends @Nullable Object>(List<E> events, R reply, List<Effect> effects) {

    /** Creates a decision. */
    public Decision {
        events = List.copyOf(events);
        effects = List.copyOf(effects);
    }

    /** Creates a decision without further effects. */
    public Decision(List<E> events, R reply) {
        this(events, reply, List.of());
    }

    /** Returns a decision with one event, a reply and further effects. */
    public static <E, R extends @Nullable Object> Decision<E, R> to(E event, R reply, Effect... effects) {
        return new Decision<>(List.of(event), reply, List.of(effects));
    }

    /** Returns a decision with one event, without a reply. */
    public static <E> Decision<E, @Nullable Void> to(E event) {
        return to(event, null);
    }

    /** Returns a reply without an event, with further effects. */
    public static <E, R extends @Nullable Object> Decision<E, R> none(R reply, Effect... effects) {
        return new Decision<>(List.of(), reply, List.of(effects));
    }

    /** Returns this decision with more effects, which follow the present ones. */
    public Decision<E, R> with(Effect... more) {
        return new Decision<>(events, reply, Outgoing.concat(effects, more));
    }
}
