package io.fibry;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Adds messages to a mailbox that has a limit or a priority.
 *
 * <p><b>Deadlocks.</b> Actors that wait for room can wait for each other. Before each wait, the sender notes which actor it waits
 * for, and follows the notes of the other senders, all under one lock. So the last sender of a cycle to wait sees the whole
 * cycle.
 *
 * <p>A note may be out of date: there is room again, but the sender has not woken up yet. So a note counts only while the mailbox
 * is full. If another sender takes the room first, the mailbox is full again. The first sender then wakes up, checks the notes
 * before it waits again, and finds the cycle itself.
 */
final class Admission {

    private static final ReentrantLock NOTES = new ReentrantLock();

    private Admission() {}

    /** Adds the message as the overflow policy says. Null if it was accepted or dropped; else the exception for the sender. */
    static @Nullable RejectedExecutionException admit(ActorCell<?> actor, WaitingRoom room, Envelope envelope) {
        return switch (room.spec().overflow()) {
            case BLOCK -> admitOrWait(actor, room, envelope);
            case FAIL -> refusal(actor, room, put(actor, room, envelope));
            case DROP_NEWEST -> {
                WaitingRoom.Outcome outcome = put(actor, room, envelope);
                if (outcome == WaitingRoom.Outcome.FULL) {
                    drop(actor, room, envelope);
                    yield null;
                }
                yield refusal(actor, room, outcome);
            }
            case DROP_OLDEST ->
                refusal(
                        actor,
                        room,
                        wake(actor, room.addDroppingOldest(envelope, oldest -> drop(actor, room, oldest))));
        };
    }

    private static @Nullable RejectedExecutionException admitOrWait(
            ActorCell<?> actor, WaitingRoom room, Envelope envelope) {
        List<ActorCell<?>> senders = List.of();
        CompletableFuture<?> givenUp = null; // wakes this thread when its ask has completed
        try {
            WaitingRoom.Outcome outcome = put(actor, room, envelope);
            while (outcome == WaitingRoom.Outcome.FULL) {
                List<ActorCell<?>> atWork = actor.kind.system().currentActors();
                senders = atWork;
                if (givenUp == null && envelope.isAsk()) {
                    givenUp = Objects.requireNonNull(envelope.reply).whenComplete((value, failure) -> room.lookAgain());
                }
                room.awaitRoom(envelope, () -> noteWait(atWork, actor));
                if (envelope.isGivenUp()) {
                    actor.kind.system().counts().dropped.increment();
                    return null;
                }
                outcome = put(actor, room, envelope);
            }
            return refusal(actor, room, outcome);
        } catch (MailboxFullException cycle) {
            return cycle;
        } catch (InterruptedException e) {
            actor.kind.system().counts().refused.increment();
            Thread.currentThread().interrupt();
            throw new ActorInterruptedException(
                    "interrupted while waiting for room in the mailbox of actor " + actor.name(), e);
        } finally {
            senders.forEach(sender -> sender.lifecycle().extras().waitsFor = null);
            if (givenUp != null) {
                givenUp.cancel(false);
            }
        }
    }

    private static void noteWait(List<ActorCell<?>> senders, ActorCell<?> actor) {
        NOTES.lock();
        try {
            var chain = new ArrayList<ActorState<?>>();
            for (ActorState<?> a = actor; a != null && !chain.contains(a); a = waitsFor(a)) {
                chain.add(a);
                if (senders.contains(a)) {
                    throw new MailboxFullException(
                            "a cycle of full mailboxes: actor " + a.name() + " waits for room at "
                                    + chain.stream()
                                            .map(ActorState::name)
                                            .collect(Collectors.joining(", which waits for room at "))
                                    + "; make a mailbox larger, or send with tryTell");
                }
            }
            senders.forEach(sender -> sender.lifecycle().extras().waitsFor = actor);
        } finally {
            NOTES.unlock();
        }
    }

    /** The actor in whose mailbox this actor waits for room, if that mailbox is still full. */
    private static @Nullable ActorState<?> waitsFor(ActorState<?> actor) {
        Extras extras = actor.lifecycle().extrasIfAny();
        ActorState<?> next = extras == null ? null : extras.waitsFor;
        WaitingRoom room = next == null ? null : next.room();
        return room != null && room.isFull() ? next : null;
    }

    /** Adds the message if there is room. */
    static WaitingRoom.Outcome put(ActorCell<?> actor, WaitingRoom room, Envelope envelope) {
        return wake(actor, room.tryAdd(envelope));
    }

    private static WaitingRoom.Outcome wake(ActorCell<?> actor, WaitingRoom.Outcome outcome) {
        if (outcome == WaitingRoom.Outcome.ACCEPTED_WAKE) {
            actor.wakeUp();
        }
        return outcome;
    }

    private static @Nullable RejectedExecutionException refusal(
            ActorCell<?> actor, WaitingRoom room, WaitingRoom.Outcome outcome) {
        return switch (outcome) {
            case ACCEPTED, ACCEPTED_WAKE -> null;
            case FULL -> full(actor, room);
            case CLOSED -> actor.stopped();
        };
    }

    private static void drop(ActorCell<?> actor, WaitingRoom room, Envelope envelope) {
        actor.kind.system().counts().dropped.increment();
        if (envelope.isAsk()) {
            Objects.requireNonNull(envelope.reply).completeExceptionally(full(actor, room));
        }
    }

    private static MailboxFullException full(ActorCell<?> actor, WaitingRoom room) {
        return new MailboxFullException("the mailbox of actor " + actor.name() + " is full with "
                + room.spec().capacity() + " messages");
    }
}
