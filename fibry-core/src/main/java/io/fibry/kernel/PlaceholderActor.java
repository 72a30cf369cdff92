package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.ActorStoppedException;
import io.fibry.AskTimeoutException;
import io.fibry.ContextCarrier.Attached;
import io.fibry.DeadLetter;
import io.fibry.MailboxFullException;
import io.fibry.ReplyTo;
import io.fibry.StopMode;
import io.fibry.dispatch.ControlledFuture;
import io.fibry.dispatch.Durations;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The address of an actor that does not exist yet. It queues messages for that actor. When an actor takes the name, it
 * receives these messages before all others, and from then on this address is a handle to it.
 *
 * <p><b>No message is lost, and the order of each sender is preserved.</b> Messages are queued under the lock. The
 * actor becomes visible, here and by its name, under the same lock, after its mailbox has the queued messages. A
 * message queued before is thus transferred; a later sender sees the actor.
 */
final class PlaceholderActor<M> implements Actor<M>, Closing.Ending {

    private final LocalSystem system;
    private final String name;
    private final int capacity;
    private final CompletableFuture<ActorExit> exit = ControlledFuture.incomplete();

    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Envelope> kept = new ArrayDeque<>(); // guarded by the lock, as are the next ones
    private final List<AutoCloseable> tied = new ArrayList<>();
    private final RoomFutures futures = new RoomFutures(lock, this::hasRoom);
    private boolean reserved;
    private @Nullable StopMode stopped;

    private volatile @Nullable ActorCell<M> actor; // written under the lock

    PlaceholderActor(LocalSystem system, String name, int capacity) {
        this.system = system;
        this.name = name;
        this.capacity = capacity;
    }

    private <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }

    // ---- the start of the actor

    /** Reserves the name for an actor that is about to start. Returns false if reserved already, or if stopped. */
    boolean reserve() {
        return locked(() -> {
            boolean free = !reserved && stopped == null;
            reserved |= free;
            return free;
        });
    }

    /** Cancels the reservation, because the actor could not be started. */
    void cancelReservation() {
        boolean nobodyComes = locked(() -> {
            reserved = false;
            return nobodyComes();
        });
        if (nobodyComes) {
            end();
        }
    }

    /** Transfers the queued messages to the started actor. If it has already been stopped, they become dead letters. */
    @SuppressWarnings("unchecked") // the caller of findOrExpect must know the message type
    void bind(ActorCell<?> cell, NameRegistry names) {
        List<Envelope> refused;
        List<AutoCloseable> resources;
        StopMode meanwhile;
        // else an executor might run it here, under the lock
        boolean role = cell.becomeConsumer();
        lock.lock();
        try {
            kept.removeIf(cell::accept);
            refused = List.copyOf(kept);
            kept.clear();
            names.pass(name, this, cell);
            actor = (ActorCell<M>) cell;
            resources = untie();
            meanwhile = stopped;
        } finally {
            lock.unlock();
        }
        RoomFutures.passRoomOn(futures);
        refused.forEach(this::dead);
        cell.tie(resources.toArray(AutoCloseable[]::new));
        CompletableFuture<Void> unused = cell.lifecycle().exit().thenAccept(result -> {
            names.free(name, cell); // for an actor that ended before it took the name
            exit.complete(result);
        });
        if (meanwhile != null) {
            cell.stop(meanwhile);
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
                ? Instrumentation.envelope(system.carrier, message, reply)
                : new Envelope(message, reply);
    }

    private void send(Envelope envelope) {
        ActorCell<M> cell = keepOrFindActor(List.of(envelope));
        RejectedExecutionException refusal = cell == null ? null : cell.trySend(envelope);
        if (refusal != null) {
            throw refusal;
        }
    }

    @Override
    public void tellAll(List<? extends M> messages) {
        List<Envelope> group = List.copyOf(messages).stream()
                .map(message -> envelope(message, null))
                .toList();
        ActorCell<M> cell = keepOrFindActor(group);
        if (cell != null) {
            cell.tellAll(messages);
        }
    }

    @Override
    public boolean tryTell(M message) {
        Objects.requireNonNull(message, "message");
        if (actor == null && keep(List.of(envelope(message, null)))) {
            return true;
        }
        ActorCell<M> cell = actor;
        return cell != null && cell.tryTell(message);
    }

    @Override
    public <R extends @Nullable Object> CompletableFuture<R> ask(Function<ReplyTo<R>, M> message, Duration timeout) {
        ActorCell<M> cell = actor;
        if (cell != null) {
            return cell.ask(message, timeout);
        }
        Reply<R> reply = Reply.inMessage(null, ContextPropagation.capture(system.carrier));
        Envelope envelope = envelope(Objects.requireNonNull(message.apply(reply), "message"), reply);
        JfrEvents.asks(this, envelope.message, reply);
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
        return new AskTimeoutException("actor " + name + " did not answer within " + timeout + ": " + state, -1, null);
    }

    /** Queues the messages for the actor. If it has started, returns it instead. */
    private @Nullable ActorCell<M> keepOrFindActor(List<Envelope> group) {
        ActorCell<M> cell = actor;
        if (cell == null && !keep(group)) {
            cell = actor;
            if (cell == null) {
                system.counts().refused.add(group.size());
                throw new MailboxFullException(
                        "actor " + name + " does not exist yet, and " + capacity + " messages wait for it already");
            }
        }
        return cell;
    }

    /** Queues the messages. Returns false if the actor has started, or if there is not enough room. */
    private boolean keep(List<Envelope> group) {
        lock.lock();
        try {
            if (actor == null && stopped != null) {
                system.counts().refused.add(group.size());
                throw stopped();
            }
            if (actor != null || group.size() > capacity - kept.size()) {
                return false;
            }
            kept.addAll(group);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private ActorStoppedException stopped() {
        return new ActorStoppedException("the address of actor " + name + " has been stopped", null);
    }

    private boolean hasRoom() {
        return actor != null || kept.size() < capacity;
    }

    @Override
    public CompletableFuture<@Nullable Void> whenWritable() {
        return locked(() -> actor != null
                ? actor.whenWritable()
                : stopped == null ? futures.add() : CompletableFuture.failedFuture(stopped()));
    }

    @Override
    public OptionalInt mailboxSize() {
        return locked(() -> actor == null ? OptionalInt.of(kept.size()) : actor.mailboxSize());
    }

    @Override
    public String name() {
        return name;
    }

    // ---- the end

    /** If an actor is about to start, it is stopped after it has received the queued messages. */
    @Override
    public void stop(StopMode mode) {
        Objects.requireNonNull(mode, "mode");
        ActorCell<M> cell;
        boolean nobodyComes;
        lock.lock();
        try {
            cell = actor;
            boolean first = stopped == null;
            if (stopped == null || stopped.compareTo(mode) < 0) {
                stopped = mode;
            }
            nobodyComes = first && cell == null && nobodyComes();
        } finally {
            lock.unlock();
        }
        futures.fail(stopped());
        if (cell != null) {
            cell.stop(mode);
        } else if (nobodyComes) {
            end();
        }
    }

    /** Frees the name if stopped and no actor is about to start; returns whether it did. Under the lock. */
    private boolean nobodyComes() {
        if (stopped == null || reserved) {
            return false;
        }
        system.forget(name, this);
        return true;
    }

    /** Ends this address, if no actor will start. Called once. */
    private void end() {
        List<Envelope> dead;
        List<AutoCloseable> resources;
        lock.lock();
        try {
            dead = List.copyOf(kept);
            kept.clear();
            resources = untie();
        } finally {
            lock.unlock();
        }
        dead.forEach(this::dead);
        resources.forEach(resource -> Closing.close(this, resource));
        exit.complete(new ActorExit(ActorExit.Reason.NORMAL, null, 0, 0, dead.size(), List.of()));
    }

    /** Removes and returns the resources to close. Under the lock. */
    private List<AutoCloseable> untie() {
        List<AutoCloseable> resources = List.copyOf(tied);
        tied.clear();
        return resources;
    }

    private void dead(Envelope envelope) {
        if (envelope.isAsk()) {
            Objects.requireNonNull(envelope.reply).fail(stopped());
        }
        Attached context = ContextPropagation.attach(Instrumentation.context(envelope)); // for the user's handler
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
        return cell != null ? cell.stop(deadline) : TimedStop.begin(deadline, this, exit);
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
        return Closing.await(exit, atMost);
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
        return exit.copy();
    }

    @Override
    public void waitForExit() {
        waitForExit(Durations.FOREVER);
    }

    @Override
    public boolean waitForExit(Duration timeout) {
        Duration atMost = Durations.notNegative("timeout", timeout);
        return actor != null ? actor.waitForExit(atMost) : Closing.awaitExit(this, exit, atMost);
    }

    @Override
    public Actor<M> closeOnExit(AutoCloseable... resources) {
        List<AutoCloseable> all = List.of(resources);
        boolean early;
        lock.lock();
        try {
            early = actor == null && (stopped == null || reserved) && tied.addAll(all);
        } finally {
            lock.unlock();
        }
        ActorCell<M> cell = actor;
        if (!early && cell != null) {
            cell.tie(resources);
        } else if (!early) {
            all.forEach(resource -> Closing.close(this, resource));
        }
        return this;
    }

    @Override
    public String toString() {
        return name;
    }
}
