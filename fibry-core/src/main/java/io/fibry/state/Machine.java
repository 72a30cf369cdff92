package io.fibry.state;

import io.fibry.ActorContext;
import io.fibry.ActorTimer;
import io.fibry.StopMode;
import io.fibry.ThrowingConsumer;
import io.fibry.dispatch.LogText;
import io.fibry.state.StateMachineSpec.Limit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A running state machine, in the turns of its actor. The order of steps follows {@code gen_statem} in Erlang/OTP:
 *
 * <ol>
 *   <li>The action of the transition runs, in the old state. Then the exit action runs, which OTP does not have.
 *   <li>If the state changes, the entry action of the new state runs.
 *   <li>If the event is postponed, it is stashed. Unlike in OTP, this excludes the steps above.
 *   <li>If the state has changed, postponed events come first, oldest first.
 *   <li>Raised events come before all others, in FIFO order.
 *   <li>The time limit of the old state is cancelled, and the limit of the new one begins.
 *   <li>The next event is handled.
 * </ol>
 *
 * <p>Postponed events are stashed messages of the actor, so no event is stored twice, and the remaining ones become
 * dead letters at the end. Only raised events are stored here. They are handled in the turn of the event whose action
 * has raised them, before the stashed messages.
 */
final class Machine<S, E> implements StateContext<S, E> {

    /** The message that makes the machine begin, unless an event has arrived before. */
    private static final Object BEGIN = new Object();

    /** The message of the timer for the limit of a state. */
    private static final Object LIMIT = new Object();

    private final ActorContext<Object> context;
    private final StateMachineSpec<S, E> spec;

    private volatile S state;
    private boolean begun; // used only in turns, as are all others
    private boolean beginWaits; // whether the message that makes it begin is in the mailbox
    private boolean running;
    private @Nullable ActorTimer limit;
    private final List<E> raised = new ArrayList<>(); // by the running action
    private final Deque<E> next = new ArrayDeque<>(); // raised by previous actions
    private final List<E> postponed = new ArrayList<>(); // raised ones only

    /** Creates a machine that begins with its first message. The previous one, if any, has failed. */
    Machine(ActorContext<Object> context, StateMachineSpec<S, E> spec, @Nullable Machine<S, E> previous) {
        this.context = context;
        this.spec = spec;
        state = spec.initial();
        beginWaits = true;
        if (previous == null || !previous.beginWaits) { // else each restart would add one
            context.pipeToSelf(CompletableFuture.completedFuture(BEGIN), (begin, failure) -> BEGIN);
        }
    }

    @Override
    public S state() {
        return state;
    }

    @Override
    @SuppressWarnings("unchecked") // all events that this context sends to its own actor are an E
    public ActorContext<E> actor() {
        return (ActorContext<E>) (ActorContext<?>) context;
    }

    @Override
    public void raise(E event) {
        Objects.requireNonNull(event, "event");
        if (!running) {
            throw new IllegalStateException("only the actions of a state machine raise events, while they run");
        }
        raised.add(event);
    }

    /** Handles a message of the actor, and all events that its actions raise. */
    @SuppressWarnings("unchecked") // the handle of the machine accepts no other messages
    void handle(Object message) throws Exception {
        running = true;
        boolean done = false;
        beginWaits &= message != BEGIN;
        try {
            if (!begun) {
                begin(message);
            }
            if (message == LIMIT) {
                expire();
            } else if (message != BEGIN) {
                handle((E) message, false);
            }
            handleRaised();
            done = true;
        } finally {
            running = false;
            if (!done) { // the raised events belong to the failed action
                raised.clear();
                next.clear();
            }
        }
    }

    private void handleRaised() throws Exception {
        insertRaised();
        while (!next.isEmpty() && !spec.isEnd(state)) {
            handle(next.remove(), true);
            insertRaised();
        }
    }

    private void insertRaised() {
        raised.reversed().forEach(next::addFirst);
        raised.clear();
    }

    private void handle(E event, boolean isRaised) throws Exception {
        Transition<S, E> found = spec.find(state, event);
        if (found == null) {
            throw new IllegalStateException(
                    LogText.plain("state machine " + context.self().name() + " in state "
                            + Transition.nameOf(state) + " refuses event "
                            + Transition.nameOf(event instanceof Enum<?> ? event : event.getClass()) + "; it takes "
                            + spec.eventsOf(state)));
        }
        switch (found.kind()) {
            case IGNORE -> {}
            case POSTPONE -> postpone(event, isRaised);
            case GO -> go(found, event);
        }
    }

    private void postpone(E event, boolean isRaised) {
        if (isRaised) {
            postponed.add(event);
        } else {
            context.stash();
        }
    }

    private void go(Transition<S, E> transition, E event) throws Exception {
        S to = transition.choice().choose(event, this);
        if (!transition.targets().contains(to) && !to.equals(state)) {
            throw new IllegalStateException(
                    LogText.plain("state machine " + context.self().name() + " in state "
                            + Transition.nameOf(state) + ": the choice for event " + transition.eventName()
                            + " has returned the state " + Transition.nameOf(to) + ", which is none of its targets"));
        }
        if (!to.equals(state)) {
            change(to);
        }
    }

    private void expire() throws Exception {
        Limit<S> expired = spec.limitOf(state);
        if (expired != null) {
            startLimit(expired); // for the case that the exit action throws; otherwise the change cancels it
            change(expired.to());
        }
    }

    private void change(S to) throws Exception {
        run(spec.exitOf(state));
        if (limit != null) {
            limit.cancel(); // also cancels its waiting message
            limit = null;
        }
        state = to;
        try {
            run(spec.entryOf(to));
        } finally {
            postponed.reversed().forEach(next::addFirst);
            postponed.clear();
            context.unstashAll();
            hasEntered(to);
        }
    }

    /** Begins before the first message, which may be an event. If that fails, the event is handled afterwards. */
    private void begin(Object message) throws Exception {
        begun = true;
        boolean complete = false;
        try {
            enterInitial();
            handleRaised();
            complete = true;
        } finally {
            if (!complete && message != BEGIN) {
                context.stash();
                context.unstashAll();
            }
        }
    }

    private void enterInitial() throws Exception {
        try {
            run(spec.entryOf(state));
        } finally {
            hasEntered(state);
        }
    }

    private void hasEntered(S entered) {
        if (spec.isEnd(entered)) {
            context.self().stop(StopMode.DISCARD);
        } else {
            Limit<S> ofEntered = spec.limitOf(entered);
            if (ofEntered != null) {
                startLimit(ofEntered);
            }
        }
    }

    private void startLimit(Limit<S> of) {
        limit = context.after(of.time(), LIMIT).cancelOnStop();
    }

    private void run(@Nullable ThrowingConsumer<StateContext<S, E>> action) throws Exception {
        if (action != null) {
            action.accept(this);
        }
    }
}
