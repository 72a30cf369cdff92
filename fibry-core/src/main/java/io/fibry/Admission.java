package io.fibry;

import io.fibry.dispatch.Worker;
import io.fibry.flight.OverflowEvent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
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
 * <p><b>Deadlocks.</b> Actors that wait for room can wait for each other. A <i>note</i> says that an actor waits at another one.
 * A sender notes this for all actors on its stack before it waits, and removes the notes before it adds its message or leaves.
 * It does both under the lock of the target's room and under {@link #NOTES}. Only senders whose wait cannot end by itself note
 * anything: an ask with a timeout gives up in time, and a thread outside all actors blocks none.
 *
 * <p><b>What is reported is a deadlock.</b> A sender follows the notes under {@link #NOTES}, as long as the mailboxes are full. A
 * cycle consists of notes that are all there at this moment, since none is removed without that lock. Only the actor itself takes
 * messages out of its mailbox, in its turn. Each actor of the cycle has a note, so its turn waits for room. So no mailbox of the
 * cycle loses a message while the sender looks, and all of them are full together at the end of the look. Each of these waits
 * ends only when a mailbox of the cycle loses a message, which needs the end of another of these waits. So none ends, unless
 * somebody from outside interrupts or stops one of the actors.
 *
 * <p><b>Every deadlock is reported.</b> The last step that completes a cycle is a note, or a message that fills a mailbox. After a
 * note, its sender looks. After a message that fills a mailbox whose actor has a note, all senders that wait there look again: a
 * sender from outside may have taken the room that the last look has counted on. If the two steps race, the one writes its note
 * and then reads the size, and the other one writes the size and then reads the note. Both are volatile, so one of them sees the
 * other.
 */
final class Admission {

    /** Taken only by actors that have to wait, inside the lock of a room. */
    private static final ReentrantLock NOTES = new ReentrantLock();

    private Admission() {}

    /** Adds the message as the overflow policy says. Null if it was accepted or dropped; else the exception for the sender. */
    static @Nullable RejectedExecutionException admit(ActorCell<?> actor, WaitingRoom room, Envelope envelope) {
        return switch (room.spec().overflow()) {
            case BLOCK -> admitOrWait(actor, room, envelope);
            case FAIL -> refusal(actor, room, putOrRefuse(actor, room, envelope));
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
        WaitingRoom.Outcome outcome = put(actor, room, envelope);
        if (outcome != WaitingRoom.Outcome.FULL) {
            return refusal(actor, room, outcome);
        }
        OverflowEvent overflow = FlightLog.overflows();
        String end = "REFUSED";
        try {
            outcome = wake(actor, addOrWait(actor, room, envelope));
            end = outcome == WaitingRoom.Outcome.FULL ? "DROPPED" : "WAITED";
        } catch (MailboxFullException cycle) {
            return cycle;
        } catch (InterruptedException e) {
            actor.kind.system().counts().refused.increment();
            Thread.currentThread().interrupt();
            throw new ActorInterruptedException(
                    "interrupted while waiting for room in the mailbox of actor " + actor.name(), e);
        } finally {
            FlightLog.overflowed(overflow, actor, room, envelope, end);
        }
        if (outcome == WaitingRoom.Outcome.FULL) { // its ask has been given up
            actor.kind.system().counts().dropped.increment();
            return null;
        }
        return refusal(actor, room, outcome);
    }

    private static WaitingRoom.Outcome addOrWait(ActorCell<?> actor, WaitingRoom room, Envelope envelope)
            throws InterruptedException {
        var wait = new Wait(actor, envelope.hasTimeout() ? List.of() : roomsOfCurrentActors());
        if (!envelope.isAsk()) {
            return room.addOrWait(envelope, wait);
        }
        CompletableFuture<?> givenUp = // wakes this thread when its ask has completed
                Objects.requireNonNull(envelope.reply).whenComplete((value, failure) -> room.lookAgain());
        try {
            return room.addOrWait(envelope, wait);
        } finally {
            givenUp.cancel(false);
        }
    }

    /** The mailboxes, with a limit at which senders wait, of the actors that cannot go on while this thread waits. */
    private static List<WaitingRoom> roomsOfCurrentActors() {
        var rooms = new ArrayList<WaitingRoom>();
        for (ActorState<?> current : LocalSystem.currentActorsOfAll()) {
            WaitingRoom room = current.room();
            if (room != null && room.spec().overflow() == Overflow.BLOCK) {
                rooms.add(room);
            }
        }
        return rooms;
    }

    /** The wait of a thread for room at an actor: its notes. Under the lock of that actor's room. */
    private static final class Wait implements WaitingRoom.Wait {
        private final ActorState<?> target;
        private final List<WaitingRoom> blocked;
        private boolean noted;

        Wait(ActorState<?> target, List<WaitingRoom> blocked) {
            this.target = target;
            this.blocked = blocked;
        }

        @Override
        public void begins() {
            Worker.beforeWait();
            if (!blocked.isEmpty()) {
                NOTES.lock();
                try {
                    noted = true;
                    blocked.forEach(room -> room.ownerWaitsAt = target);
                    checkForCycle();
                } finally {
                    NOTES.unlock();
                }
            }
        }

        @Override
        public void ends() {
            if (noted) {
                NOTES.lock();
                try {
                    blocked.forEach(room -> room.ownerWaitsAt = null);
                } finally {
                    NOTES.unlock();
                }
            }
        }

        private void checkForCycle() {
            var chain = new LinkedHashSet<ActorState<?>>();
            ActorState<?> a = target;
            while (a != null && chain.add(a)) { // a cycle that does not include this thread is reported to another one
                WaitingRoom room = Objects.requireNonNull(a.room());
                if (!room.holdsSenders()) {
                    return;
                }
                if (blocked.contains(room)) {
                    throw cycle(a, chain);
                }
                a = room.ownerWaitsAt;
            }
        }
    }

    private static MailboxFullException cycle(ActorState<?> last, Collection<ActorState<?>> chain) {
        return new MailboxFullException("a cycle of full mailboxes: actor " + last.name() + " waits for room at "
                + chain.stream().map(ActorState::name).collect(Collectors.joining(", which waits for room at "))
                + "; make a mailbox larger, or send with tryTell");
    }

    /** As {@link #put}, for a message that is refused if there is no room. */
    static WaitingRoom.Outcome putOrRefuse(ActorCell<?> actor, WaitingRoom room, Envelope envelope) {
        WaitingRoom.Outcome outcome = put(actor, room, envelope);
        if (outcome == WaitingRoom.Outcome.FULL) {
            FlightLog.overflow(actor, room, envelope, "REFUSED");
        }
        return outcome;
    }

    /** Adds the message if there is room. */
    private static WaitingRoom.Outcome put(ActorCell<?> actor, WaitingRoom room, Envelope envelope) {
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
        FlightLog.overflow(actor, room, envelope, "DROPPED");
        if (envelope.isAsk()) {
            Objects.requireNonNull(envelope.reply).completeExceptionally(full(actor, room));
        }
    }

    private static MailboxFullException full(ActorCell<?> actor, WaitingRoom room) {
        return new MailboxFullException("the mailbox of actor " + actor.name() + " is full with "
                + room.spec().capacity() + " messages");
    }
}
