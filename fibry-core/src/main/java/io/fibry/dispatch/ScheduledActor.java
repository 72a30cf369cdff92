package io.fibry.dispatch;

import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * An actor as seen by the dispatchers: an object that runs turns. It is an abstract class rather than an interface,
 * since its methods are called for every message. The JIT compiler devirtualizes a method of an abstract class with one
 * implementation, without the type check that an interface needs. The class has no fields, so it does not increase the
 * size of an actor.
 */
public abstract class ScheduledActor {

    /**
     * Handles messages, up to a batch, or until the awaited reply is complete. The caller holds the consumer's role.
     *
     * @param awaited the reply for which the thread below on the stack waits, or null
     * @return true if the caller keeps the consumer's role and has to run or schedule another turn
     */
    public abstract boolean runTurn(ActorThread r, @Nullable Future<?> awaited);

    /** The number of handled messages that were sent; a hint for threads other than the consumer. */
    public abstract long handled();

    public abstract String name();

    public abstract boolean hasEnded();

    /** The lock that a thread holds while it interrupts a turn. */
    public abstract ActorLock interruptLock();

    /** The dispatcher that runs this actor. */
    public abstract Dispatcher dispatcher();

    /**
     * Publishes that the calling thread, which runs this actor, waits for a stage.
     *
     * @param limited whether the wait has a timeout
     * @return null if the wait is not published
     */
    public @Nullable AskWait beginWait(AskStage<?> stage, boolean limited) {
        return null;
    }

    /** See {@link SuspendedHandler#suspend}. */
    public @Nullable Object suspend(SuspendedHandler handler) {
        throw new IllegalStateException("this actor cannot suspend its handler");
    }

    /** The runner from {@link Dispatcher#prepare}, or null. */
    public abstract @Nullable ActorThread ownRunner();
}
