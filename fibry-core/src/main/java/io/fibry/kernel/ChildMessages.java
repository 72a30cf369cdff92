package io.fibry.kernel;

import io.fibry.ActorStoppedException;
import io.fibry.dispatch.ActorThread;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Messages that an actor and its descendants send to it while it drains. Children end before their parent, and may need
 * its replies to end; an actor may also do its accepted work in several steps. The actor therefore handles these
 * messages until it has none left and the last child has ended. Its mailbox is closed, so they are queued here.
 *
 * <p><b>No message is missed.</b> The actor's own message is accepted in one of its turns, before {@link #next} has
 * returned {@link Next#END}. The same turn, or a subsequent one, polls this queue or calls {@link #next}, which checks
 * it.
 *
 * <p>A descendant's message is accepted only while the parent's child through which the sender descends is alive. This
 * is checked under the lock of the parent's lifecycle. If the parent waits for its children at that time, the sender
 * takes the consumer's role and makes the parent ready. If the parent does not wait yet, it checks this queue under the
 * same lock before it waits. After the last child has ended, no message can be accepted, and the parent checks the
 * queue once more.
 *
 * <p><b>A held mailbox.</b> These messages are newer than those in the mailbox, which was closed before. While the
 * actor {@linkplain Holding#hold holds} its mailbox, they therefore wait here, too. Results of stages and ticks of
 * timers do not wait, since one of them ends the hold. If none is pending, {@link LastTurn} ends it.
 */
final class ChildMessages {

    /** Messages in the order of arrival, linked by {@code next}. Guarded by the lock of the lifecycle. */
    private static final class Queue {
        private @Nullable Envelope first;
        private @Nullable Envelope last;

        boolean isEmpty() {
            return first == null;
        }

        void add(Envelope envelope) {
            if (last == null) {
                first = envelope;
            } else {
                last.next = envelope;
            }
            last = envelope;
        }

        @Nullable
        Envelope poll() {
            Envelope next = first;
            if (next != null) {
                first = next.next;
                last = first == null ? null : last;
                next.next = null;
            }
            return next;
        }

        int messages() {
            int count = 0;
            for (Envelope e = first; e != null; e = e.next) {
                count += isMessage(e) ? 1 : 0;
            }
            return count;
        }

        void forEach(Consumer<Envelope> action) {
            for (Envelope e = first; e != null; e = e.next) {
                action.accept(e);
            }
        }
    }

    private final Lifecycle lifecycle;
    private final Queue held = new Queue(); // messages that a hold has left here; older than all messages that arrive
    private final Queue arrived = new Queue();

    ChildMessages(Lifecycle lifecycle) {
        this.lifecycle = lifecycle;
    }

    /**
     * Accepts messages that the mailbox has refused, if the actor drains, and the sender is the actor itself or below
     * one of its living children.
     */
    static boolean acceptRefused(
            ActorState<?> actor,
            RejectedExecutionException refusal,
            Supplier<? extends List<? extends ActorState<?>>> senders,
            List<Envelope> group) {
        return refusal instanceof ActorStoppedException && !actor.discards() && accept(actor, senders.get(), group);
    }

    private static boolean accept(ActorState<?> actor, List<? extends ActorState<?>> senders, List<Envelope> group) {
        ChildMessages messages = actor.lifecycle().rareState().childMessages();
        ActorThread own = actor.isOnThisThread() ? actor.runner() : null;
        boolean isSender = own != null && own.top() == own; // else an actor above it on the stack is the sender
        return isSender ? messages.acceptOwn(group) : messages.acceptFromBelow(actor, senders, group);
    }

    private boolean acceptOwn(List<Envelope> group) {
        lifecycle.lock();
        try {
            if (lifecycle.discards() || lifecycle.refusesMessages()) {
                return false;
            }
            addAll(group);
            return true;
        } finally {
            lifecycle.unlock();
        }
    }

    private boolean acceptFromBelow(ActorState<?> actor, List<? extends ActorState<?>> senders, List<Envelope> group) {
        for (ActorState<?> sender : senders) {
            ActorState<?> child = sender.childBelow(actor);
            if (child != null && accept(actor, child, group)) {
                return true;
            }
        }
        return false;
    }

    private boolean accept(ActorState<?> actor, ActorState<?> child, List<Envelope> group) {
        boolean role;
        lifecycle.lock();
        try {
            if (lifecycle.discards() || !lifecycle.rareState().children().has(child)) {
                return false;
            }
            addAll(group);
            role = lifecycle.endWait();
        } finally {
            lifecycle.unlock();
        }
        if (role) {
            actor.ready();
        }
        return true;
    }

    private void addAll(List<Envelope> group) {
        for (Envelope envelope : group) {
            add(envelope);
        }
    }

    /** Adds a message, the result of a stage, or the tick of a timer. Allocates nothing. Under the lock. */
    void add(Envelope envelope) {
        arrived.add(envelope);
    }

    private static boolean isMessage(Envelope envelope) {
        return envelope.reply != Reply.OF_SIGNAL;
    }

    /**
     * Returns the next message, result or tick; null if there is none. Consumer only.
     *
     * @param isHeld whether messages remain here
     */
    @Nullable
    Envelope poll(boolean isHeld) {
        lifecycle.lock();
        try {
            Envelope next = isHeld ? null : held.poll();
            if (next == null) {
                next = arrived.poll();
            }
            while (isHeld && next != null && isMessage(next)) {
                held.add(next);
                next = arrived.poll();
            }
            return next;
        } finally {
            lifecycle.unlock();
        }
    }

    /** The number of waiting messages, without results and ticks. Takes time proportional to it. Any thread. */
    int size() {
        lifecycle.lock();
        try {
            return held.messages() + arrived.messages();
        } finally {
            lifecycle.unlock();
        }
    }

    /** The next step of an actor before its end. */
    enum Next {
        HANDLE,
        WAIT,
        END
    }

    /**
     * Returns the next step with respect to pipes and timers. {@link Next#WAIT} if one is pending and the stop does not
     * discard its message: the consumer's role then passes to the thread that delivers the message, or to the first
     * child that sends one.
     *
     * @param isHeld whether the actor holds its messages, and handles only results and ticks
     */
    static Next nextWithPending(Lifecycle l, boolean isHeld, ContextState context) {
        l.lock();
        try {
            if (anyWaits(l, isHeld)) {
                return Next.HANDLE;
            }
            if (l.discards() || !context.hasPendingWork()) {
                return Next.END;
            }
            l.rareState().children().awaitNone();
            return Next.WAIT;
        } finally {
            l.unlock();
        }
    }

    /**
     * Returns the next step after the children have been stopped. {@link Next#WAIT} if a child is alive, or a stage or
     * a timer is pending: the consumer's role then passes to the last child to end, to the first that sends a message,
     * or to the first result or timer message. The actor does not hold its messages.
     *
     * @param context null if the actor has none, hence no results and timers. Otherwise refuses further ones if none is
     *     pending
     */
    static Next next(Lifecycle l, @Nullable ContextState context) {
        l.lock();
        try {
            if (anyWaits(l, false)) {
                return Next.HANDLE;
            }
            Children children = l.childrenIfAny();
            if (children != null && !children.areGone()) {
                return Next.WAIT;
            }
            if (!l.discards() && context != null && !context.refusesResults()) {
                l.rareState().children().awaitNone();
                return Next.WAIT;
            }
            l.refuseMessages();
            return Next.END;
        } finally {
            l.unlock();
        }
    }

    private static boolean anyWaits(Lifecycle l, boolean isHeld) {
        ChildMessages messages = l.childMessagesIfAny();
        return messages != null && (!messages.arrived.isEmpty() || (!isHeld && !messages.held.isEmpty()));
    }

    /** Passes all messages to the action. Under the lock. */
    void forEach(Consumer<Envelope> action) {
        held.forEach(action);
        arrived.forEach(action);
    }
}
