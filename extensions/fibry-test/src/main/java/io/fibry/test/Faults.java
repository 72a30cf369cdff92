package io.fibry.test;

import io.fibry.Actor;
import io.fibry.ActorStoppedException;
import io.fibry.MailboxFullException;
import io.fibry.StopMode;
import io.fibry.dispatch.Control;
import io.fibry.dispatch.ScheduledActor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A plan of failures for the run of a test; see {@link TestSystem#faults}. The seed of the run draws from it: in some
 * runs a fault comes early, in some late, and in some not at all. A plain {@link TestSystem} has only the faults with a
 * given number. The test need not expect these failures: an actor may fail by its fault, and the test goes on.
 *
 * {@snippet class = "TestSnippets" region = "faults"}
 *
 * <p>Only the thread of the test may call the methods of this class. Faults identify actors by name: give a name to
 * each actor with faults.
 */
public final class Faults {

    /** The exception of a failure between two messages. */
    @SuppressWarnings("serial")
    private static final class InjectedFault extends RuntimeException {
        InjectedFault(String text) {
            super(text);
        }
    }

    /** Counts the messages of an actor down to the faulty one. */
    private static final class Countdown {
        private final Supplier<? extends Throwable> failure;
        private int left;

        Countdown(int left, Supplier<? extends Throwable> failure) {
            this.left = left;
            this.failure = failure;
        }

        boolean isDue() {
            return --left == 0;
        }
    }

    /** The last message or step at which a drawn fault may occur. */
    private static final int LATEST = 16;

    /** A failure that this plan has caused. The same exception in another actor is a failure of that actor. */
    private record Injected(String actor, Throwable failure) {}

    private final Chooser chooser;
    private final Map<String, Countdown> failures = new HashMap<>();
    private final Map<String, Countdown> fullMailboxes = new HashMap<>();
    private final List<Injected> injected = new ArrayList<>();

    Faults(Chooser chooser) {
        this.chooser = chooser;
    }

    /** Lets the handler of the actor throw an exception for one of its messages, instead of handling it. */
    public Faults mayThrow(Actor<?> actor, Supplier<? extends Throwable> failure) {
        int message = chooser.draw(LATEST + 1);
        return message == 0 ? this : throwsAt(actor, message, failure);
    }

    /**
     * Lets the handler of the actor throw an exception for its n-th message from now on, instead of handling it.
     *
     * @param message the number of the message; 1 is the next one
     */
    public Faults throwsAt(Actor<?> actor, int message, Supplier<? extends Throwable> failure) {
        requirePositive(message);
        failures.put(actor.name(), new Countdown(message, Objects.requireNonNull(failure, "failure")));
        return this;
    }

    /**
     * Lets the bounded mailbox of the actor appear full to one send, although it has room. It has no effect if senders
     * wait for room.
     */
    public Faults mayBeFull(Actor<?> actor) {
        int message = chooser.draw(LATEST + 1);
        return message == 0 ? this : isFullAt(actor, message);
    }

    /** Like {@link #mayBeFull}, for the n-th message from now on. */
    public Faults isFullAt(Actor<?> actor, int message) {
        requirePositive(message);
        fullMailboxes.put(actor.name(), new Countdown(message, IllegalStateException::new));
        return this;
    }

    /** Stops the actor between two messages. */
    public Faults mayStop(Actor<?> actor, StopMode mode) {
        Objects.requireNonNull(mode, "mode");
        return later("the stop of " + actor.name(), () -> actor.stop(mode));
    }

    /**
     * Lets the actor fail between two messages. Its supervision handles the failure, usually with a restart. It has no
     * effect if the actor has stopped, or its mailbox is full and refuses messages.
     */
    public Faults mayFail(Actor<?> actor) {
        return later("the failure of " + actor.name(), () -> fail(actor));
    }

    private static void fail(Actor<?> actor) {
        try {
            actor.execute(() -> {
                throw new InjectedFault("a failure between two messages");
            });
        } catch (ActorStoppedException | MailboxFullException e) { // the actor is not to fail any more, or not now
            return;
        }
    }

    private Faults later(String name, Runnable fault) {
        int step = chooser.draw(LATEST + 1);
        Control control = Control.ofCurrentThread();
        if (step > 0 && control != null) {
            control.fork(name, () -> {
                for (int i = 1; i < step; i++) {
                    control.beforeStep();
                }
                fault.run();
            });
        }
        return this;
    }

    private static void requirePositive(int message) {
        if (message < 1) {
            throw new IllegalArgumentException("the number of a message is at least 1, not " + message);
        }
    }

    // ---- asked by the simulation

    @Nullable
    Throwable next(ScheduledActor actor) {
        Countdown due = due(failures, actor);
        if (due == null) {
            return null;
        }
        Throwable failure = due.failure.get();
        injected.add(new Injected(actor.name(), failure));
        return failure;
    }

    /** Whether the failure of the actor is part of the plan. */
    boolean isInjected(ScheduledActor actor, Throwable failure) {
        return failure instanceof InjectedFault
                || injected.stream().anyMatch(i -> i.failure == failure && i.actor.equals(actor.name()));
    }

    boolean findsFull(ScheduledActor actor) {
        return due(fullMailboxes, actor) != null;
    }

    private static @Nullable Countdown due(Map<String, Countdown> faults, ScheduledActor actor) {
        Countdown fault = faults.isEmpty() ? null : faults.get(actor.name());
        if (fault == null || !fault.isDue()) {
            return null;
        }
        faults.remove(actor.name());
        return fault;
    }
}
