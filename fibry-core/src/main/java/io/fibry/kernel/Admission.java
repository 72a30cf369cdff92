package io.fibry.kernel;

import io.fibry.ActorInterruptedException;
import io.fibry.ActorStoppedException;
import io.fibry.MailboxFullException;
import io.fibry.Overflow;
import io.fibry.dispatch.Control;
import io.fibry.dispatch.LogText;
import io.fibry.dispatch.StackRoom;
import io.fibry.dispatch.Worker;
import io.fibry.flight.OverflowEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Adds messages to a mailbox that has a limit or a priority, and groups of messages to any mailbox.
 *
 * <p><b>Deadlocks.</b> Actors that wait for room can wait for each other, or for actors that wait for something else.
 * {@link WaitGraph} detects these cycles. A sender publishes its wait before it waits for room, and withdraws it before
 * it adds its message or leaves, both under the lock of the target's mailbox. A mailbox that is full because of the
 * sender's message is therefore never seen together with the sender's wait.
 *
 * <p>Only the actor itself removes messages from its mailbox, in its turn; other threads do while it
 * {@linkplain Holding#take holds} them, and then it has no turn that waits. While its thread waits for something else,
 * a full mailbox therefore stays full, as {@link WaitGraph} requires.
 *
 * <p><b>A mailbox that fills up later.</b> A sender from outside may take the room that a search has seen. After a
 * message that fills a mailbox whose actor waits, all senders that wait there therefore search again. If the message
 * and the actor's wait race, one thread writes the size and then reads the wait, and the other publishes the wait and
 * then reads the size. All accesses are volatile, so at least one of them sees the other.
 *
 * <p><b>Descendants.</b> An actor may {@linkplain Holding#hold hold} its messages until its children have
 * finished. A child that waited for room there would then wait for itself. After the first hold, descendants therefore
 * do not wait for room. Descendants that already wait check again: each check and each wait are under the lock of the
 * mailbox, and the hold is recorded before.
 */
final class Admission {

    private Admission() {}

    /**
     * Adds the message according to the overflow policy. Returns null if it was accepted or dropped, else the sender's
     * exception.
     */
    static @Nullable RejectedExecutionException admit(ActorCell<?> actor, BoundedMailbox bounded, Envelope envelope) {
        StackRoom.require(); // a message must not be added to the mailbox without its wake-up
        return switch (bounded.spec().overflow()) {
            case BLOCK -> admitOrWait(actor, bounded, envelope);
            case FAIL -> refusal(actor, bounded, putOrRefuse(actor, bounded, envelope));
            case DROP_NEWEST -> {
                BoundedMailbox.Outcome outcome = put(actor, bounded, envelope);
                if (outcome == BoundedMailbox.Outcome.FULL) {
                    drop(actor, bounded, envelope);
                    yield null;
                }
                yield refusal(actor, bounded, outcome);
            }
            case DROP_OLDEST ->
                refusal(
                        actor,
                        bounded,
                        wake(
                                actor,
                                bounded,
                                bounded.tryAddAll(List.of(envelope), oldest -> drop(actor, bounded, oldest))));
        };
    }

    private static @Nullable RejectedExecutionException admitOrWait(
            ActorCell<?> actor, BoundedMailbox bounded, Envelope envelope) {
        BoundedMailbox.Outcome outcome = put(actor, bounded, envelope);
        if (outcome != BoundedMailbox.Outcome.FULL) {
            return refusal(actor, bounded, outcome);
        }
        OverflowEvent overflow = JfrEvents.overflows();
        String end = "REFUSED";
        try {
            outcome = wake(actor, bounded, addOrWait(actor, bounded, envelope));
            end = outcome == BoundedMailbox.Outcome.FULL ? "DROPPED" : "WAITED";
        } catch (MailboxFullException cycle) {
            return cycle;
        } catch (InterruptedException e) {
            actor.kind.counts().refused.increment();
            Thread.currentThread().interrupt();
            throw new ActorInterruptedException(
                    "interrupted while waiting for room in the mailbox of actor " + actor.name(), e);
        } finally {
            JfrEvents.overflowed(overflow, actor, bounded, envelope, end);
        }
        if (outcome == BoundedMailbox.Outcome.FULL) { // its ask has ended
            actor.kind.counts().dropped.increment();
            return null;
        }
        return refusal(actor, bounded, outcome);
    }

    private static BoundedMailbox.Outcome addOrWait(ActorCell<?> actor, BoundedMailbox bounded, Envelope envelope)
            throws InterruptedException {
        var wait = new SenderWait(WaitGraph.forRoom(actor, envelope.hasTimeout()), actor, bounded);
        if (!envelope.isAsk()) {
            return bounded.addOrWait(envelope, wait);
        }
        CompletableFuture<?> givenUp = // wakes this thread when its ask has completed
                Objects.requireNonNull(envelope.reply).whenComplete((value, failure) -> bounded.lookAgain());
        try {
            return bounded.addOrWait(envelope, wait);
        } finally {
            givenUp.cancel(false);
        }
    }

    /** The wait of a thread for room at an actor. Under the lock of that actor's mailbox. */
    private record SenderWait(WaitGraph.@Nullable Edge ofActors, ActorCell<?> actor, BoundedMailbox bounded)
            implements Room.Waiter {
        @Override
        public void begins() {
            if (bounded.holdIfAny() != null && isBelow(actor)) {
                throw new MailboxFullException("the mailbox of actor " + actor.name() + " is full with "
                        + bounded.spec().capacity()
                        + " messages, and the sender descends from it: it may wait for the sender");
            }
            Worker.beforeWait();
            WaitCycle cycle = ofActors == null ? null : ofActors.begin();
            if (cycle != null) {
                throw new MailboxFullException(
                        (cycle.isOfMailboxes() ? "a cycle of full mailboxes: " : "a cycle of waits: ") + cycle
                                + "; make a mailbox larger, or send with tryTell");
            }
        }

        @Override
        public void ends() {
            if (ofActors != null) {
                ofActors.end();
            }
        }
    }

    /** Whether the calling thread handles a message of a descendant of the actor. */
    private static boolean isBelow(ActorCell<?> actor) {
        return actor.kind.system().currentActors().stream().anyMatch(sender -> sender.childBelow(actor) != null);
    }

    /** Adds the message if there is room. Returns whether there was; throws the exception of a stopped actor. */
    static boolean trySend(ActorCell<?> actor, BoundedMailbox bounded, Envelope envelope) {
        StackRoom.require();
        BoundedMailbox.Outcome outcome = putOrRefuse(actor, bounded, envelope);
        if (outcome == BoundedMailbox.Outcome.CLOSED) {
            actor.send(envelope); // an actor that drains may accept it from below
        }
        return outcome != BoundedMailbox.Outcome.FULL;
    }

    /** As {@link #put}, and records the overflow if the message is refused. */
    static BoundedMailbox.Outcome putOrRefuse(ActorCell<?> actor, BoundedMailbox bounded, Envelope envelope) {
        BoundedMailbox.Outcome outcome = put(actor, bounded, envelope);
        if (outcome == BoundedMailbox.Outcome.FULL) {
            JfrEvents.overflow(actor, bounded, envelope, "REFUSED");
        }
        return outcome;
    }

    /** Adds the message if there is room. */
    private static BoundedMailbox.Outcome put(ActorCell<?> actor, BoundedMailbox bounded, Envelope envelope) {
        Control control = Control.ofCurrentThread();
        if (control != null && control.findsFull(actor)) {
            return BoundedMailbox.Outcome.FULL;
        }
        return wake(actor, bounded, bounded.tryAdd(envelope));
    }

    // ---- groups of messages

    /**
     * Sends messages that are handled without another sender's message in between. They are added in one step: to a
     * mailbox in FIFO order by one compare-and-set of a linked list, to any other under its lock. Either all of them
     * are accepted, or none.
     */
    static void sendAll(ActorCell<?> actor, List<?> messages) {
        List<Envelope> group = new ArrayList<>(messages.size());
        for (Object message : List.copyOf(messages)) {
            group.add(actor.envelope(message, null));
        }
        RejectedExecutionException refusal = group.isEmpty() ? null : trySendAll(actor, group);
        if (refusal != null) {
            actor.kind.counts().refused.add(group.size());
            ActorStoppedException.noteRefusal(refusal, actor);
            throw refusal;
        }
    }

    private static @Nullable RejectedExecutionException trySendAll(ActorCell<?> actor, List<Envelope> group) {
        BoundedMailbox bounded = actor.boundedMailbox();
        RejectedExecutionException refusal;
        if (bounded != null) {
            StackRoom.require(); // messages must not be added to the mailbox without their wake-up
            refusal = admitAll(actor, bounded, group);
        } else {
            refusal = actor.offerAll(group) ? null : actor.stopped();
        }
        boolean accepted = refusal != null
                && ChildMessages.acceptRefused(actor, refusal, actor.kind.system()::currentActors, group);
        return accepted ? null : refusal;
    }

    /**
     * Adds all messages or none, and never waits. Returns null if they were accepted or dropped, else the sender's
     * exception.
     *
     * @throws IllegalArgumentException if there are more messages than the capacity of the mailbox
     */
    private static @Nullable RejectedExecutionException admitAll(
            ActorCell<?> actor, BoundedMailbox bounded, List<Envelope> group) {
        int places = bounded.spec().capacity();
        if (group.size() > places) {
            throw new IllegalArgumentException(
                    "a group of " + group.size() + " messages never fits into the mailbox of actor "
                            + LogText.plain(actor.name()) + ", which has a limit of " + places);
        }
        BoundedMailbox.Outcome outcome = bounded.tryAddAll(group, oldest -> drop(actor, bounded, oldest));
        wake(actor, bounded, outcome);
        if (outcome == BoundedMailbox.Outcome.FULL && bounded.spec().overflow() == Overflow.DROP_NEWEST) {
            group.forEach(envelope -> drop(actor, bounded, envelope));
            return null;
        }
        if (outcome == BoundedMailbox.Outcome.FULL) {
            JfrEvents.overflow(actor, bounded, group.getFirst(), "REFUSED");
        }
        return refusal(actor, bounded, outcome);
    }

    /** Adds the message regardless of the limit; false if the actor has been stopped. */
    static boolean putInAnyCase(ActorCell<?> actor, BoundedMailbox bounded, Envelope envelope) {
        boolean accepted = bounded.addInAnyCase(envelope);
        actor.wakeUp();
        lookAgainIfFilled(actor, bounded);
        return accepted;
    }

    private static BoundedMailbox.Outcome wake(
            ActorCell<?> actor, BoundedMailbox bounded, BoundedMailbox.Outcome outcome) {
        if (outcome == BoundedMailbox.Outcome.ACCEPTED_WAKE) {
            actor.wakeUp();
        }
        lookAgainIfFilled(actor, bounded);
        return outcome;
    }

    /** After a message was added: it may have completed a cycle. */
    private static void lookAgainIfFilled(ActorCell<?> actor, BoundedMailbox bounded) {
        if (bounded.isFull() && WaitGraph.of(actor) != null) {
            bounded.lookAgain();
        }
    }

    private static @Nullable RejectedExecutionException refusal(
            ActorCell<?> actor, BoundedMailbox bounded, BoundedMailbox.Outcome outcome) {
        return switch (outcome) {
            case ACCEPTED, ACCEPTED_WAKE -> null;
            case FULL -> full(actor, bounded);
            case CLOSED -> actor.stopped();
        };
    }

    private static void drop(ActorCell<?> actor, BoundedMailbox bounded, Envelope envelope) {
        actor.kind.counts().dropped.increment();
        JfrEvents.overflow(actor, bounded, envelope, "DROPPED");
        if (envelope.isAsk()) {
            Objects.requireNonNull(envelope.reply).completeExceptionally(full(actor, bounded));
        }
    }

    private static MailboxFullException full(ActorCell<?> actor, BoundedMailbox bounded) {
        return new MailboxFullException("the mailbox of actor " + actor.name() + " is full with "
                + bounded.spec().capacity() + " messages");
    }
}
