package io.fibry.dispatch;

import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What the dispatchers know of an actor: something with turns. A class and not an interface, since its calls are on the way of every
 * message: the JIT compiler devirtualizes a method of an abstract class that has one implementation, and checks no interface type.
 * It has no fields, so it adds nothing to the size of an actor.
 */
public abstract class Schedulable {

    /**
     * Handles messages, up to a batch, or until a reply is there, if somebody waits for one. The caller holds the consumer's
     * role; it keeps it if the result is true, and then has to see to another turn.
     */
    public abstract boolean runTurn(Runner r, @Nullable Future<?> awaited);

    /** How many messages were handled; for threads other than the consumer a hint. */
    public abstract long handled();

    public abstract String name();

    public abstract boolean hasEnded();

    /** Who interrupts a turn holds this lock. */
    public abstract ReentrantLock interruptLock();

    /** The dispatcher that runs this actor. */
    public abstract Dispatcher dispatcher();

    /** What {@link Dispatcher#prepare} has made for this actor. */
    public abstract @Nullable Runner ownRunner();
}
