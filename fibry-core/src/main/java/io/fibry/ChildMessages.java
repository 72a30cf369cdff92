package io.fibry;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the children of an actor send to it while it drains. They end before it does, and may need its answers for that, so it
 * goes on handling what they send until the last of them has gone. Its mailbox is closed; these messages come here.
 *
 * <p>No message is missed: a message is accepted only while its sender's child is alive, under the lock of the lifecycle. If the actor
 * waits for its children then, the sender gets the consumer's role and makes it ready. If it does not wait yet, it looks here
 * under the same lock before it does. And when the last child has gone, nothing can come any more, and the actor looks once more.
 */
final class ChildMessages {

    private final Lifecycle lifecycle;
    private @Nullable Queue<Envelope> waiting; // guarded by the lock of the lifecycle; null for most, who never get any

    ChildMessages(Lifecycle lifecycle) {
        this.lifecycle = lifecycle;
    }

    /** Accepts a message that a draining actor has refused, if one of the actors that the calling thread is at work in is a descendant. */
    static boolean accept(ActorState<?> actor, List<? extends ActorState<?>> senders, Envelope envelope) {
        ChildMessages messages = actor.lifecycle().childMessages;
        for (ActorState<?> sender : senders) {
            ActorState<?> child = sender.childBelow(actor);
            if (child != null && messages.accept(actor, child, envelope)) {
                return true;
            }
        }
        return false;
    }

    private boolean accept(ActorState<?> actor, ActorState<?> child, Envelope envelope) {
        boolean role;
        lifecycle.lock.lock();
        try {
            if (lifecycle.discards() || !lifecycle.children.has(child)) {
                return false;
            }
            add(envelope);
            role = lifecycle.children.endWait();
        } finally {
            lifecycle.lock.unlock();
        }
        if (role) {
            actor.ready();
        }
        return true;
    }

    /** Adds a message for which the actor has waited. Under the lock. */
    void add(Envelope envelope) {
        if (waiting == null) {
            waiting = new ArrayDeque<>();
        }
        waiting.add(envelope);
    }

    /** The next one, or null. Consumer only. */
    @Nullable
    Envelope poll() {
        lifecycle.lock.lock();
        try {
            return waiting == null ? null : waiting.poll();
        } finally {
            lifecycle.lock.unlock();
        }
    }

    /** What the actor has to do before its end. */
    enum Next {
        HANDLE,
        WAIT,
        END
    }

    /**
     * If the actor has open pipes, and its stop does not discard their results, its consumer's role goes to the one who closes a
     * pipe, or to a child that sends something.
     */
    Next nextWithPipes(BooleanSupplier anyIsOpen) {
        lifecycle.lock.lock();
        try {
            if (waiting != null && !waiting.isEmpty()) {
                return Next.HANDLE;
            }
            if (lifecycle.discards() || !anyIsOpen.getAsBoolean()) {
                return Next.END;
            }
            lifecycle.children.awaitNone();
            return Next.WAIT;
        } finally {
            lifecycle.lock.unlock();
        }
    }

    /**
     * If the actor has to wait for these children, or for results, its consumer's role goes to the last of them, or to one that sends
     * something.
     *
     * @param refusesResults whether no result is to come, and from now on none can
     */
    Next next(List<ActorState<?>> children, BooleanSupplier refusesResults) {
        lifecycle.lock.lock();
        try {
            if (waiting != null && !waiting.isEmpty()) {
                return Next.HANDLE;
            }
            if (!lifecycle.children.areGone(children)) {
                return Next.WAIT;
            }
            if (!lifecycle.discards() && !refusesResults.getAsBoolean()) {
                lifecycle.children.awaitNone();
                return Next.WAIT;
            }
            return Next.END;
        } finally {
            lifecycle.lock.unlock();
        }
    }

    /** Shows all of them. Under the lock. */
    void forEach(Consumer<Envelope> action) {
        if (waiting != null) {
            waiting.forEach(action);
        }
    }
}
