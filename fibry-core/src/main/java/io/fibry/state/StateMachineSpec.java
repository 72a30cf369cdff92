package io.fibry.state;

import io.fibry.ActorBuilder;
import io.fibry.Overflow;
import io.fibry.ThrowingConsumer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a {@link StateMachine}: its states, and its reactions to events. Immutable: each method with a
 * parameter returns a new definition.
 *
 * {@snippet class = "ShapeSnippets" region = "stateMachine"}
 *
 * <p>States are values that are compared by {@code equals}: the constants of an enum, or the records of a sealed type.
 * Data belongs in variables of the actions rather than in the states. Events are distinguished by their class, or by
 * {@code equals}. If several definitions match an event, the first one applies. A definition without effect is refused:
 * immediately if an earlier one matches all its events, and at the start of a machine if its state is unreachable.
 *
 * @param <S> the type of the states
 * @param <E> the type of the events
 */
public final class StateMachineSpec<S, E> {

    /** The action of a transition. */
    @FunctionalInterface
    public interface Action<V, S, E> {
        /** Runs the action. If it throws, the machine stays in its state. */
        void run(V event, StateContext<S, E> context) throws Exception;
    }

    /** Chooses the next state of a machine. */
    @FunctionalInterface
    public interface Choice<V, S, E> {
        /** Returns the next state, which may be the current one. If it throws, the machine stays in its state. */
        S choose(V event, StateContext<S, E> context) throws Exception;
    }

    /** The time limit of a state, and the state that follows. */
    record Limit<S>(Duration time, S to) {}

    /** Not modified after construction. */
    private final Values<S, E> values;

    private StateMachineSpec(Values<S, E> values) {
        this.values = values;
    }

    /** Returns the definition of a machine that begins in this state, and accepts no events yet. */
    public static <S, E> StateMachineSpec<S, E> startingIn(S initial) {
        return new StateMachineSpec<>(new Values<>(Objects.requireNonNull(initial, "initial")));
    }

    private StateMachineSpec<S, E> with(Consumer<Values<S, E>> change) {
        var copy = new Values<>(values);
        change.accept(copy);
        return new StateMachineSpec<>(copy);
    }

    // ---- transitions

    /**
     * Defines that events of this class lead from one state to another, or to the same one, which is not a change of
     * state.
     *
     * @throws IllegalArgumentException if the state already has a definition for this class, or an earlier one that
     *     matches all its events; the same holds for all methods for transitions
     */
    public <V extends E> StateMachineSpec<S, E> on(S from, Class<V> event, S to) {
        return on(from, event, to, (e, context) -> {});
    }

    /** As {@link #on(Object, Class, Object)}, with an action that runs before the exit action of the state. */
    public <V extends E> StateMachineSpec<S, E> on(S from, Class<V> event, S to, Action<? super V, S, E> action) {
        Objects.requireNonNull(action, "action");
        return go(from, event, List.of(to), (e, context) -> {
            action.run(event.cast(e), context);
            return to;
        });
    }

    /** Defines that this event, for instance an enum constant, leads from one state to another. */
    public StateMachineSpec<S, E> on(S from, E event, S to) {
        return go(from, event, List.of(to), (e, context) -> to);
    }

    /**
     * Defines that events of this class lead to the state that the choice returns: one of the targets, or the current
     * one.
     *
     * @param targets the possible states, for the diagram and to check the result of the choice
     * @throws IllegalArgumentException if there are no targets, or the state already has a definition for this class
     */
    public <V extends E> StateMachineSpec<S, E> choose(
            S from, Class<V> event, Choice<? super V, S, E> choice, List<? extends S> targets) {
        Objects.requireNonNull(choice, "choice");
        if (targets.isEmpty()) {
            throw new IllegalArgumentException("a choice needs at least one target");
        }
        return go(from, event, List.copyOf(targets), (e, context) -> choice.choose(event.cast(e), context));
    }

    /**
     * Postpones events of this class until the machine has changed its state; they are then handled before other
     * waiting events.
     */
    public StateMachineSpec<S, E> postpone(S state, Class<? extends E> event) {
        return added(Transition.stay(state, event, Transition.Kind.POSTPONE));
    }

    /** Ignores events of this class in this state. */
    public StateMachineSpec<S, E> ignore(S state, Class<? extends E> event) {
        return added(Transition.stay(state, event, Transition.Kind.IGNORE));
    }

    private StateMachineSpec<S, E> go(S from, Object event, List<S> targets, Choice<E, S, E> choice) {
        return added(new Transition<>(from, event, Transition.Kind.GO, targets, choice));
    }

    private StateMachineSpec<S, E> added(Transition<S, E> added) {
        Objects.requireNonNull(added.from(), "state");
        Objects.requireNonNull(added.event(), "event");
        for (Transition<S, E> t : values.transitions) {
            if (t.from().equals(added.from()) && t.event().equals(added.event())) {
                throw new IllegalArgumentException("state " + Transition.nameOf(added.from())
                        + " has a definition for event " + added.eventName() + " already");
            }
            if (t.covers(added)) {
                throw new IllegalArgumentException("state " + Transition.nameOf(added.from())
                        + ": the definition for event " + added.eventName()
                        + " would have no effect, since the earlier one for " + t.eventName()
                        + " matches all its events; put it before that one");
            }
        }
        return with(v -> v.transitions.add(added));
    }

    // ---- states

    /**
     * Sets the action that runs when the machine enters this state from another one, or starts in it.
     *
     * @throws IllegalArgumentException if the state has such an action already
     */
    public StateMachineSpec<S, E> onEntry(S state, ThrowingConsumer<StateContext<S, E>> action) {
        Objects.requireNonNull(action, "action");
        checkIsNew(values.entries, state, "an entry action");
        return with(v -> v.entries.put(state, action));
    }

    /**
     * Sets the action that runs when the machine leaves this state for another one. If it throws, the machine stays in
     * its state.
     *
     * @throws IllegalArgumentException if the state has such an action already
     */
    public StateMachineSpec<S, E> onExit(S state, ThrowingConsumer<StateContext<S, E>> action) {
        Objects.requireNonNull(action, "action");
        checkIsNew(values.exits, state, "an exit action");
        return with(v -> v.exits.put(state, action));
    }

    /**
     * Limits the time in this state, counted from the end of its entry action. When the time has elapsed, the machine
     * changes to the other state.
     *
     * @throws IllegalArgumentException if the time is not positive, the two states are the same, or the first one has a
     *     limit already
     */
    public StateMachineSpec<S, E> timeout(S state, Duration time, S to) {
        if (time.isZero() || time.isNegative()) {
            throw new IllegalArgumentException("the limit of a state must be positive, not " + time);
        }
        if (state.equals(to)) {
            throw new IllegalArgumentException("the limit of a state must lead to another one");
        }
        checkIsNew(values.limits, state, "a limit");
        return with(v -> v.limits.put(state, new Limit<>(time, to)));
    }

    private static <S> void checkIsNew(Map<S, ?> definitions, S state, String what) {
        if (definitions.containsKey(state)) {
            throw new IllegalArgumentException("state " + Transition.nameOf(state) + " has " + what + " already");
        }
    }

    /**
     * Defines that the machine ends in this state, after its entry action. Waiting and postponed events become dead
     * letters.
     */
    public StateMachineSpec<S, E> terminal(S state) {
        Objects.requireNonNull(state, "state");
        return with(v -> v.ends.add(state));
    }

    // ---- the mailbox

    /**
     * Limits the number of postponed events; see {@link ActorBuilder#stashLimit}. The default is 1,000.
     *
     * @throws IllegalArgumentException if the limit is less than 1
     */
    public StateMachineSpec<S, E> postponeLimit(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("the limit must be at least 1, not " + limit);
        }
        return with(v -> v.postponeLimit = limit);
    }

    /**
     * Limits the number of waiting events, excluding the postponed ones; see {@link ActorBuilder#bounded}. The default
     * is no limit.
     *
     * @throws IllegalArgumentException if the capacity is less than 1
     */
    public StateMachineSpec<S, E> bounded(int capacity, Overflow overflow) {
        Objects.requireNonNull(overflow, "overflow");
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be at least 1, not " + capacity);
        }
        return with(v -> {
            v.capacity = capacity;
            v.overflow = overflow;
        });
    }

    ActorBuilder<Object> applyTo(ActorBuilder<Object> builder) {
        checkStates();
        ActorBuilder<Object> b = builder.stashLimit(values.postponeLimit);
        return values.overflow == null ? b : b.bounded(values.capacity, values.overflow);
    }

    /** Checks that every definition is for a reachable state. */
    private void checkStates() {
        Set<S> reached = reachable();
        Set<S> defined = new LinkedHashSet<>(values.entries.keySet());
        defined.addAll(values.exits.keySet());
        defined.addAll(values.limits.keySet());
        defined.addAll(values.ends);
        values.transitions.forEach(t -> defined.add(t.from()));
        defined.removeAll(reached);
        if (!defined.isEmpty()) {
            throw new IllegalArgumentException("no transition leads from the first state, "
                    + Transition.nameOf(values.initial) + ", to "
                    + defined.stream().map(Transition::nameOf).sorted().collect(Collectors.joining(", "))
                    + ": add one, or remove the definitions for that state");
        }
        for (Transition<S, E> t : values.transitions) {
            checkIsNoEnd(t.from(), "definition for event " + t.eventName());
        }
        values.exits.keySet().forEach(state -> checkIsNoEnd(state, "exit action"));
        values.limits.keySet().forEach(state -> checkIsNoEnd(state, "limit"));
    }

    private void checkIsNoEnd(S state, String what) {
        if (values.ends.contains(state)) {
            throw new IllegalArgumentException("the machine ends in state " + Transition.nameOf(state) + ", so its "
                    + what + " would have no effect");
        }
    }

    private Set<S> reachable() {
        Set<S> reached = new HashSet<>(Set.of(values.initial));
        Deque<S> next = new ArrayDeque<>(reached);
        while (!next.isEmpty()) {
            S from = next.remove();
            List<S> targets = new ArrayList<>();
            values.transitions.stream().filter(t -> t.from().equals(from)).forEach(t -> targets.addAll(t.targets()));
            Limit<S> limit = values.limits.get(from);
            if (limit != null) {
                targets.add(limit.to());
            }
            targets.stream().filter(reached::add).forEach(next::add);
        }
        return reached;
    }

    // ---- the definition

    /** Returns the machine as a Mermaid diagram, which many Markdown viewers render. */
    public String toMermaid() {
        return Mermaid.of(values.initial, values.transitions, values.limits, values.ends);
    }

    S initial() {
        return values.initial;
    }

    /** The transition for an event; null if the event is refused. */
    @Nullable
    Transition<S, E> find(S state, E event) {
        for (Transition<S, E> t : values.transitions) {
            if (t.matches(state, event)) {
                return t;
            }
        }
        return null;
    }

    /** The names of the events that a state accepts. */
    List<String> eventsOf(S state) {
        return values.transitions.stream()
                .filter(t -> t.from().equals(state))
                .map(Transition::eventName)
                .toList();
    }

    @Nullable
    ThrowingConsumer<StateContext<S, E>> entryOf(S state) {
        return values.entries.get(state);
    }

    @Nullable
    ThrowingConsumer<StateContext<S, E>> exitOf(S state) {
        return values.exits.get(state);
    }

    @Nullable
    Limit<S> limitOf(S state) {
        return values.limits.get(state);
    }

    boolean isEnd(S state) {
        return values.ends.contains(state);
    }

    private static final class Values<S, E> {
        final S initial;
        final List<Transition<S, E>> transitions = new ArrayList<>();
        final Map<S, ThrowingConsumer<StateContext<S, E>>> entries = new HashMap<>();
        final Map<S, ThrowingConsumer<StateContext<S, E>>> exits = new HashMap<>();
        final Map<S, Limit<S>> limits = new HashMap<>();
        final Set<S> ends = new HashSet<>();
        int postponeLimit = 1_000;
        int capacity;

        @Nullable
        Overflow overflow;

        Values(S initial) {
            this.initial = initial;
        }

        Values(Values<S, E> from) {
            initial = from.initial;
            transitions.addAll(from.transitions);
            entries.putAll(from.entries);
            exits.putAll(from.exits);
            limits.putAll(from.limits);
            ends.addAll(from.ends);
            postponeLimit = from.postponeLimit;
            capacity = from.capacity;
            overflow = from.overflow;
        }
    }
}
