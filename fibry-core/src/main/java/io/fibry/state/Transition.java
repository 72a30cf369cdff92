package io.fibry.state;

import java.util.List;
import java.util.Locale;

/**
 * The reaction of a machine to some events in a state.
 *
 * @param event a class of events, or one event
 * @param targets the possible next states; empty if the event is postponed or ignored
 * @param choice returns the next state
 */
record Transition<S, E>(S from, Object event, Kind kind, List<S> targets, StateMachineSpec.Choice<E, S, E> choice) {

    /** The kinds of reaction. */
    enum Kind {
        GO,
        POSTPONE,
        IGNORE
    }

    /** Postpones or ignores the events. */
    static <S, E> Transition<S, E> stay(S from, Object event, Kind kind) {
        return new Transition<>(from, event, kind, List.of(), (e, context) -> from);
    }

    boolean matches(S state, E candidate) {
        return from.equals(state)
                && (event instanceof Class<?> type ? type.isInstance(candidate) : event.equals(candidate));
    }

    /** Whether this transition matches all events that the other one matches, in the same state. */
    boolean covers(Transition<S, E> other) {
        return from.equals(other.from)
                && event instanceof Class<?> type
                && (other.event instanceof Class<?> narrower
                        ? type.isAssignableFrom(narrower)
                        : type.isInstance(other.event));
    }

    String eventName() {
        return nameOf(event);
    }

    /** The name of a state or an event in errors and diagrams. */
    static String nameOf(Object value) {
        return switch (value) {
            case Class<?> type -> type.getSimpleName();
            case Enum<?> constant -> constant.name();
            case Record r -> r.getClass().getSimpleName();
            default -> value.toString();
        };
    }

    /** A note such as "postpones Ship". */
    String note() {
        return kind.name().toLowerCase(Locale.ROOT) + "s " + eventName();
    }
}
