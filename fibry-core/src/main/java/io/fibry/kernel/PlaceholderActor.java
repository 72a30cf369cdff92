package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.ActorStoppedException;
import io.fibry.AskTimeoutException;
import io.fibry.ContextCarrier.Attached;
import io.fibry.DeadLetter;
import io.fibry.MailboxFullException;
import io.fibry.Overflow;
import io.fibry.ReplyTo;
import io.fibry.StopMode;
import io.fibry.dispatch.Durations;
import io.fibry.flight.AskTrace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The address of an actor that does not exist yet: the mailbox and the lifecycle of an actor, without a behavior. When
 * an actor takes the name, it receives the messages of this mailbox before all others, and from then on this address is
 * a handle to it.
 *
 * <p><b>No message is lost, and the order of each sender is preserved.</b> The actor becomes visible, here and by its
 * name, under the lock of the lifecycle. Under the same lock, and before that, this mailbox is closed, and its messages
 * are transferred. A message accepted before the close is thus transferred. A sender that finds this mailbox closed
 * acquires the lock once, and then sees the actor, whose mailbox has the earlier messages.
 */
final class PlaceholderActor<M> implements Actor<M>, Closing.Ending {

    private final LocalSystem system;
    private final Lifecycle lifecycle;
    private final BoundedMailbox mailbox;
    private boolean reserved; // guarded by the lock of the lifecycle
    private volatile @Nullable ActorCell<M> actor; // written under that lock

    PlaceholderActor(LocalSystem system, String name, int capacity) {
        this.system = system;
        lifecycle = new Lifecycle(name, null, ActorOptions.NONE);
        mailbox = new FifoMailbox(new MailboxSpec(capacity, Overflow.FAIL, null));
    }

    private <T extends @Nullable Object> T locked(Supplier<T> action) {
        lifecycle.lock();
        try {
            return action.get();
        } finally {
            lifecycle.unlock();
        }
    }

    // ---- the start of the actor

    /** Reserves the name for an actor that is about to start. Returns false if reserved already, or if stopped. */
    boolean reserve() {
        return locked(() -> {
            boolean free = !reserved && lifecycle.mode() == null;
            reserved |= free;
            return free;
        });
    }

    /** Cancels the reservation, because the actor could not be started. */
    void cancelReservation() {
        boolean ends = locked(() -> {
            reserved = false;
            return leavesName();
        });
        if (ends) {
            end();
        }
    }

    /**
     * Transfers the messages to the started actor. If it has already been stopped, they become dead letters, as does a
     * message for which the comparator of its mailbox throws: its sender cannot get the exception any more.
     */
    @SuppressWarnings("unchecked") // the caller of findOrExpect must know the message type
    void bind(ActorCell<?> cell, NameRegistry names) {
        boolean role = cell.becomeConsumer(); // else an executor might run it here, under the lock
        var refused = new ArrayList<Refused>();
        StopMode stopped = locked(() -> {
            mailbox.close();
            for (Envelope e = mailbox.poll(); e != null; e = mailbox.poll()) {
                try {
                    if (!cell.accept(e)) {
                        refused.add(new Refused(e, null));
                    }
                } catch (RuntimeException failure) {
                    refused.add(new Refused(e, failure));
                }
            }
            names.pass(name(), this, cell);
            actor = (ActorCell<M>) cell;
            return lifecycle.mode();
        });
        endWaitsForRoom(null);
        refused.forEach(this::dead); // without the lock: it calls code of users
        lifecycle.untie().forEach(cell::tieToEnd); // from now on, closeOnExit uses the actor
        CompletableFuture<?> unused = cell.lifecycle().exit().thenAccept(lifecycle.exit()::complete);
        if (stopped != null) {
            cell.stop(stopped);
        }
        if (role) {
            cell.releaseRole();
        }
    }

    /** Returns the actor if it has started, else this address. */
    Actor<?> orItself() {
        ActorCell<M> cell = actor;
        return cell == null ? this : cell;
    }

    /** Returns the actor after this mailbox has been closed; null if the address has been stopped without one. */
    private @Nullable ActorCell<M> successor() {
        ActorCell<M> cell = actor;
        return cell != null ? cell : locked(() -> actor);
    }

    // ---- sending

    @Override
    public void tell(M message) {
        send(envelope(Objects.requireNonNull(message, "message"), null));
    }

    @Override
    public void execute(Runnable task) {
        send(envelope(Objects.requireNonNull(task, "task"), Reply.OF_TASK));
    }

    private Envelope envelope(Object message, @Nullable Reply<?> reply) {
        return Instrumentation.areInUse()
                ? Instrumentation.envelope(system, this, message, reply)
                : new Envelope(message, reply);
    }

    private void send(Envelope envelope) {
        ActorCell<M> cell = keepOrFindActor(List.of(envelope));
        if (cell != null) {
            cell.send(envelope);
        }
    }

    @Override
    public void tellAll(List<? extends M> messages) {
        ActorCell<M> cell = keepOrFindActor(List.copyOf(messages).stream()
                .map(message -> envelope(message, null))
                .toList());
        if (cell != null) {
            cell.tellAll(messages);
        }
    }

    @Override
    public boolean tryTell(M message) {
        Envelope envelope = envelope(Objects.requireNonNull(message, "message"), null);
        return switch (keep(List.of(envelope))) {
            case ACCEPTED, ACCEPTED_WAKE -> true;
            case FULL -> false;
            case CLOSED -> Objects.requireNonNull(actor).tryTell(message);
        };
    }

    @Override
    public <R extends @Nullable Object> CompletableFuture<R> ask(Function<ReplyTo<R>, M> message, Duration timeout) {
        ActorCell<M> cell = actor;
        if (cell != null) {
            return cell.ask(message, timeout);
        }
        Reply<R> reply = Reply.inMessage(null, ContextPropagation.capture(system.carrier));
        Envelope envelope = envelope(Objects.requireNonNull(message.apply(reply), "message"), reply);
        AskTrace trace = reply.trace();
        if (trace != null) {
            trace.isSent(this, envelope.message);
        }
        AskTimeout.limit(reply, Durations.notNegative("timeout", timeout), () -> timedOut(timeout));
        try {
            send(envelope);
        } catch (RejectedExecutionException refused) {
            reply.completeExceptionally(refused);
        }
        return reply;
    }

    private AskTimeoutException timedOut(Duration timeout) {
        String state = actor == null ? "it does not exist yet" : "it did not exist when it was asked";
        return new AskTimeoutException(
                "actor " + name() + " did not answer within " + timeout + ": " + state, -1, null);
    }

    /** Adds the messages to this mailbox. If the actor has started, returns it instead. */
    private @Nullable ActorCell<M> keepOrFindActor(List<Envelope> group) {
        BoundedMailbox.Outcome outcome = keep(group);
        if (outcome == BoundedMailbox.Outcome.FULL) {
            system.counts().refused.add(group.size());
            throw new MailboxFullException("actor " + name() + " does not exist yet, and "
                    + mailbox.spec().capacity() + " messages wait for it already");
        }
        return outcome == BoundedMailbox.Outcome.CLOSED ? actor : null;
    }

    /** Adds the messages to this mailbox. CLOSED means that the actor has started. */
    private BoundedMailbox.Outcome keep(List<Envelope> group) {
        BoundedMailbox.Outcome outcome =
                actor == null ? mailbox.tryAddAll(group, dropped -> {}) : BoundedMailbox.Outcome.CLOSED;
        if (outcome == BoundedMailbox.Outcome.CLOSED && successor() == null) {
            system.counts().refused.add(group.size());
            throw stopped();
        }
        return outcome;
    }

    private ActorStoppedException stopped() {
        return new ActorStoppedException("the address of actor " + name() + " has been stopped", null);
    }

    @Override
    public CompletableFuture<@Nullable Void> whenWritable() {
        CompletableFuture<@Nullable Void> room = mailbox.awaitRoom();
        ActorCell<M> cell = room == null ? successor() : null;
        return room != null ? room : cell != null ? cell.whenWritable() : CompletableFuture.failedFuture(stopped());
    }

    @Override
    public OptionalInt mailboxSize() {
        ActorCell<M> cell = successor(); // under the lock: no messages are being transferred
        return cell == null ? OptionalInt.of(mailbox.size()) : cell.mailboxSize();
    }

    @Override
    public String name() {
        return Objects.requireNonNull(lifecycle.name);
    }

    // ---- the end

    /** If an actor is about to start, it is stopped after it has received the messages. */
    @Override
    public void stop(StopMode mode) {
        Objects.requireNonNull(mode, "mode");
        ActorCell<M> cell;
        boolean ends;
        lifecycle.lock();
        try {
            cell = actor; // if it comes later, bind passes the mode on
            boolean first = lifecycle.mode() == null && cell == null;
            lifecycle.harden(mode);
            mailbox.close();
            ends = first && leavesName();
        } finally {
            lifecycle.unlock();
        }
        if (cell != null) {
            cell.stop(mode);
            return;
        }
        endWaitsForRoom(stopped());
        if (ends) {
            end();
        }
    }

    /** Frees the name if stopped and no actor is about to start; returns whether it did. Under the lock. */
    private boolean leavesName() {
        boolean leaves = lifecycle.mode() != null && !reserved;
        if (leaves) {
            system.forget(name(), this);
        }
        return leaves;
    }

    /** Ends this address after it has left its name. Called once. */
    private void end() {
        for (Envelope e = mailbox.poll(); e != null; e = mailbox.poll()) {
            dead(new Refused(e, null));
            lifecycle.countDiscarded(1);
        }
        lifecycle.untie().forEach(resource -> Closing.close(this, resource));
        lifecycle.end(0);
    }

    /** Completes the futures of {@link #whenWritable}, after this mailbox has been closed. */
    private void endWaitsForRoom(@Nullable ActorStoppedException stopped) {
        RoomFutures futures = mailbox.futures();
        if (futures != null) {
            futures.completeAll(stopped);
        }
    }

    /** A message that the actor has refused, with the exception of its comparator; null if the actor was stopped. */
    private record Refused(Envelope envelope, @Nullable RuntimeException failure) {}

    private void dead(Refused refused) {
        Envelope envelope = refused.envelope;
        RuntimeException failure = refused.failure;
        if (envelope.isAsk()) {
            Objects.requireNonNull(envelope.reply).fail(failure == null ? stopped() : failure);
        } else if (failure != null) {
            KernelLog.failed(this, "comparator for a message that was sent before its start", failure);
        }
        Attached context = ContextPropagation.attach(Instrumentation.context(envelope)); // for the handler of the user
        try {
            system.counts().deadLetter(this, envelope.message, DeadLetter.Reason.NO_ACTOR);
        } finally {
            ContextPropagation.detach(context);
        }
    }

    @Override
    public CompletableFuture<ActorExit> stop(Duration deadline) {
        Durations.notNegative("deadline", deadline);
        stop();
        ActorCell<M> cell = actor;
        return cell != null ? cell.stop(deadline) : TimedStop.begin(deadline, this, lifecycle.exit());
    }

    @Override
    public boolean close(Duration deadline) {
        Durations.notNegative("deadline", deadline);
        stop();
        ActorCell<M> cell = actor;
        return cell != null ? cell.close(deadline) : Closing.await(deadline, this, system.isInsideActor());
    }

    /** Used by a close that began before the actor started, as is the next method. */
    @Override
    public boolean await(Duration atMost) throws InterruptedException {
        return Closing.await(lifecycle.exit(), atMost);
    }

    @Override
    public void reportStuck() {
        ActorCell<M> cell = actor;
        if (cell != null) {
            StuckReport.report(cell);
        }
    }

    @Override
    public CompletableFuture<ActorExit> exit() {
        return lifecycle.exit().copy();
    }

    @Override
    public void waitForExit() {
        waitForExit(Durations.FOREVER);
    }

    @Override
    public boolean waitForExit(Duration timeout) {
        Duration atMost = Durations.notNegative("timeout", timeout);
        ActorCell<M> cell = actor;
        return cell != null ? cell.waitForExit(atMost) : Closing.awaitExit(this, lifecycle.exit(), atMost);
    }

    @Override
    public Actor<M> closeOnExit(AutoCloseable... resources) {
        for (AutoCloseable resource : resources) {
            if (!lifecycle.tie(Objects.requireNonNull(resource, "resource"))) {
                ActorCell<M> cell = actor;
                if (cell != null) {
                    cell.tie(resource);
                } else {
                    Closing.close(this, resource);
                }
            }
        }
        return this;
    }

    @Override
    public String toString() {
        return name();
    }
}
