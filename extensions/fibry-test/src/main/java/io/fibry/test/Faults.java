package io.fibry.test;

import io.fibry.Actor;
import io.fibry.StopMode;
import io.fibry.dispatch.Control;
import io.fibry.dispatch.Schedulable;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A plan of failures for the run of a test; see {@link TestSystem#faults}. The seed of the run draws from it: in some runs a fault
 * comes early, in some late, and in some not at all. A plain {@link TestSystem} has only the faults with a given number.
 *
 * {@snippet class = "TestSnippets" region = "faults"}
 *
 * <p>Only the thread of the test may call it. Actors are told apart by their names, so give one to an actor with faults.
 */
public final class Faults {

    /** In place of what a handler might throw. */
    @SuppressWarnings("serial")
    private static final class InjectedFault extends RuntimeException {
        InjectedFault(String text) {
            super(text);
        }
    }

    /** Which message of an actor a fault waits for. */
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

    /** A fault that the seed draws comes at one of so many messages or steps. */
    private static final int LATEST = 16;

    private final Chooser chooser;
    private final Map<String, Countdown> failures = new HashMap<>();
    private final Map<String, Countdown> fullMailboxes = new HashMap<>();

    Faults(Chooser chooser) {
        this.chooser = chooser;
    }

    /** The handler of the actor throws this at one of its messages, instead of handling it. */
    public Faults mayThrow(Actor<?> actor, Supplier<? extends Throwable> failure) {
        int message = chooser.draw(LATEST + 1);
        return message == 0 ? this : throwsAt(actor, message, failure);
    }

    /**
     * The handler of the actor throws this at its n-th message from now on, instead of handling it.
     *
     * @param message 1 for the next one
     */
    public Faults throwsAt(Actor<?> actor, int message, Supplier<? extends Throwable> failure) {
        requirePositive(message);
        failures.put(actor.name(), new Countdown(message, Objects.requireNonNull(failure, "failure")));
        return this;
    }

    /** A send to the actor finds its bounded mailbox full, although it has room. It has no effect if the senders wait for room. */
    public Faults mayBeFull(Actor<?> actor) {
        int message = chooser.draw(LATEST + 1);
        return message == 0 ? this : isFullAt(actor, message);
    }

    /** As {@link #mayBeFull}, at the n-th message from now on. */
    public Faults isFullAt(Actor<?> actor, int message) {
        requirePositive(message);
        fullMailboxes.put(actor.name(), new Countdown(message, IllegalStateException::new));
        return this;
    }

    /** The actor is stopped between two messages. */
    public Faults mayStop(Actor<?> actor, StopMode mode) {
        Objects.requireNonNull(mode, "mode");
        return later("the stop of " + actor.name(), () -> actor.stop(mode));
    }

    /** The actor fails between two messages, as its supervision says: mostly it is restarted. */
    public Faults mayFail(Actor<?> actor) {
        return later(
                "the failure of " + actor.name(),
                () -> actor.execute(() -> {
                    throw new InjectedFault("a failure between two messages");
                }));
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
    Throwable next(Schedulable actor) {
        Countdown due = due(failures, actor);
        return due == null ? null : due.failure.get();
    }

    boolean findsFull(Schedulable actor) {
        return due(fullMailboxes, actor) != null;
    }

    private static @Nullable Countdown due(Map<String, Countdown> faults, Schedulable actor) {
        Countdown fault = faults.isEmpty() ? null : faults.get(actor.name());
        if (fault == null || !fault.isDue()) {
            return null;
        }
        faults.remove(actor.name());
        return fault;
    }
}
