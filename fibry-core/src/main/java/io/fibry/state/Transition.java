package io.fibry.state;

import java.util.List;
import java.util.Locale;

/**
 * What a machine does about some events in a state.
 *
 * @param event a class of events, or one event
 * @param targets the states that it may lead to; empty if the event is postponed or ignored
 * @param choice returns the next state
 */
record Transition<S, E>(S from, Object event, Kind kind, List<S> targets, StateMachineSpec.Choice<E, S, E> choice) {

    /** What to do. */
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

    /** Whether this matches all events that the other one matches, in the same state. */
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

    /** How errors and diagrams call a state or an event. */
    static String nameOf(Object value) {
        return switch (value) {
            case Class<?> type -> type.getSimpleName();
            case Enum<?> constant -> constant.name();
            case Record r -> r.getClass().getSimpleName();
            default -> value.toString();
        };
    }

    /** As in "postpones Ship". */
    String note() {
        return kind.name().toLowerCase(Locale.ROOT) + "s " + eventName();
    }
}
