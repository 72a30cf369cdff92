package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.HandledMessages;
import io.fibry.StopMode;
import io.fibry.Supervisor;
import io.fibry.SupervisorSpec;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.LogText;
import io.fibry.dispatch.MessageSource;
import io.fibry.dispatch.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The actor behind a {@link Supervisor}. It is notified of failures and ends by signals, decides in its own turns, and
 * may wait there for children.
 *
 * <p>A restart has two steps. First the affected children are
 * {@linkplain SupervisedChild#pauseOrStop paused or stopped}, in reverse order: children that can be restarted in place
 * are paused, the others end. Then, after the backoff if there is one, they
 * {@linkplain SupervisedChild#restart restart}, in order. If another restart begins during the backoff, the children
 * affected by both wait for the later one.
 */
public final class SupervisorCell extends ActorCell<Object> {

    private final SupervisorSpec spec;
    private final RestartHistory history = new RestartHistory();

    /** The number of handled events. Written by the consumer; a hint for other threads. */
    private long events;

    /** In the order of their start. Written by the consumer. */
    private volatile List<SupervisedChild> children = List.of();

    SupervisorCell(ActorKind kind, SupervisorSpec spec) {
        super(kind);
        this.spec = spec;
    }

    @SuppressWarnings("unchecked") // it accepts no messages from users
    public Actor<Void> asActor() {
        return (Actor<Void>) (Actor<?>) this;
    }

    @Override
    void receive(Object message) {
        throw new IllegalArgumentException("supervisor " + LogText.plain(name()) + " takes no messages");
    }

    @Override
    Class<?> behaviorType() {
        return Supervisor.class;
    }

    public Optional<Actor<?>> child(String name) {
        return childNamed(name).flatMap(SupervisedChild::handle);
    }

    public List<String> childNames() {
        return children.stream()
                .filter(SupervisedChild::isExpectedToLive)
                .map(SupervisedChild::name)
                .toList();
    }

    /**
     * Something that has happened to a child. Events are no lambdas: the JVM does not retry a linkage that ran out of
     * memory, and a child that has failed would wait for the decision forever.
     */
    interface Event {
        void handle(SupervisorCell supervisor) throws Exception;
    }

    /** The failure of a child, which is paused until the decision. */
    record Failed(ActorCell<?> child, Throwable cause) implements Event {
        @Override
        public void handle(SupervisorCell supervisor) throws Exception {
            supervisor.failed(child, cause);
        }
    }

    /** The end of a child. */
    record Ended(ActorCell<?> child, ActorExit exit) implements Event {
        @Override
        public void handle(SupervisorCell supervisor) throws Exception {
            supervisor.ended(child, exit);
        }
    }

    /** The end of the backoff of a restart. */
    private record BackoffOver(List<SupervisedChild> concerned, Object restart) implements Event {
        @Override
        public void handle(SupervisorCell supervisor) throws Exception {
            supervisor.begin(concerned, restart);
        }
    }

    /** The failure of a start function in a restart. */
    private record NotStarted(List<SupervisedChild> concerned, Object restart, SupervisedChild failed, Throwable cause)
            implements Event {
        @Override
        public void handle(SupervisorCell supervisor) throws Exception {
            supervisor.repeat(concerned, restart, failed, cause);
        }
    }

    /** An event on its way to a supervisor: a signal, or the action of an alarm that sends it. */
    private record Delivery(SupervisorCell supervisor, Event event) implements Signal, Runnable {
        @Override
        public void run() {
            supervisor.signal(this);
        }

        @Override
        public void deliver(ActorThread runner) throws Exception {
            try {
                event.handle(supervisor);
            } finally {
                supervisor.events++;
                runner.count(MessageSource.INTERNAL);
            }
        }
    }

    /** Sends an event to this supervisor, which counts it. Returns false if the supervisor has been stopped. */
    boolean report(Event event) {
        return signal(new Delivery(this, event));
    }

    @Override
    HandledMessages handledBySource() {
        return new HandledMessages(handled(), 0, 0, events);
    }

    // ---- the start

    /** Starts the children. Called by the thread that creates the supervisor and holds its consumer's role. */
    void startChildren() {
        try {
            for (SupervisorSpec.Child each : spec.children()) {
                var child = new SupervisedChild(this, each);
                children = with(child);
                child.start();
            }
            releaseRole();
        } catch (Throwable t) {
            lifecycle().failWith(t);
            stopOnce(StopMode.DRAIN); // requires no stack: the start has done so, and this stop must not fail
            releaseRole();
            lifecycle().exit().join();
            throw t;
        }
    }

    // ---- children added and removed while it runs

    /** A request to start or stop a child: the only messages of a supervisor. */
    private record Command(Supplier<Object> work, Reply<?> reply) {}

    /** An exception of a start function is not a failure of the supervisor, which continues. */
    @Override
    Object answer(Object message) {
        var command = (Command) message;
        try {
            return command.work().get();
        } catch (Throwable t) {
            command.reply().fail(t);
            return Reply.NOT_YET;
        }
    }

    public <A extends Actor<?>> CompletableFuture<A> askStart(SupervisorSpec.Child child) {
        return ask(() -> start(child), new Reply.OfSupervisor<A>(this));
    }

    public CompletableFuture<Boolean> askStop(String name) {
        return ask(() -> stop(name), new Reply.OfSupervisor<Boolean>(this));
    }

    private <R> CompletableFuture<R> ask(Supplier<Object> work, Reply<R> reply) {
        return AskSender.send(this, new Command(work, reply), reply);
    }

    private Actor<?> start(SupervisorSpec.Child started) {
        if (isStopping()) {
            throw stopped();
        }
        Optional<SupervisedChild> before = childNamed(started.name());
        if (before.isPresent() && before.get().isExpectedToLive()) {
            throw new IllegalStateException("supervisor " + LogText.plain(name()) + " has a child named "
                    + LogText.plain(started.name()) + "; stop that one first, or choose another name");
        }
        var child = new SupervisedChild(this, started);
        Actor<?> made = child.start();
        before.ifPresent(this::remove);
        children = with(child);
        return made;
    }

    private boolean stop(String name) {
        Optional<SupervisedChild> child = childNamed(name);
        child.ifPresent(c -> {
            if (!c.stopInTime()) {
                throw stopped(); // the child may be alive
            }
            c.waitFor(null);
            remove(c);
        });
        return child.isPresent();
    }

    private Optional<SupervisedChild> childNamed(String name) {
        return children.stream().filter(child -> child.name().equals(name)).findFirst();
    }

    private List<SupervisedChild> with(SupervisedChild child) {
        var more = new ArrayList<>(children);
        more.add(child);
        return List.copyOf(more);
    }

    // ---- failures and ends of children

    /** Handles the failure of a child, which is paused until the decision. */
    void failed(ActorCell<?> actor, Throwable cause) throws InterruptedException {
        if (actor.lifecycle().pause().undecided() != cause) {
            return; // it has already been restarted, together with others
        }
        SupervisedChild child = childOf(actor);
        if (child == null || isStopping() || child.isTemporary()) {
            actor.fail(cause);
        } else if (!child.isBeingRestarted()) { // otherwise a restart with others is about to follow
            restart(child, cause);
        }
    }

    /** Handles the end of a child. */
    void ended(ActorCell<?> actor, ActorExit exit) throws InterruptedException {
        SupervisedChild child = childOf(actor);
        if (child == null || isStopping()) {
            return;
        }
        if (child.isTemporary()) {
            remove(child);
        } else if (child.isBeingRestarted() || !child.hasToLiveAfter(exit)) {
            child.hasEnded(); // a child that waits for a restart is started by that restart
        } else {
            Throwable cause = exit.cause();
            restart(
                    child,
                    cause != null
                            ? cause
                            : new IllegalStateException("child " + LogText.plain(child.name()) + " ended"));
        }
    }

    private @Nullable SupervisedChild childOf(ActorCell<?> actor) {
        for (SupervisedChild child : children) {
            if (child.is(actor)) {
                return child;
            }
        }
        return null;
    }

    private void remove(SupervisedChild gone) {
        var others = new ArrayList<>(children);
        others.remove(gone);
        children = List.copyOf(others);
    }

    private boolean isStopping() {
        return lifecycle().mode() != null;
    }

    // ---- restarts

    private void restart(SupervisedChild failed, Throwable cause) throws InterruptedException {
        if (isStopping()) {
            return;
        }
        if (!history.allows(spec.limit(), spec.backoff(), Time.nanos())) {
            giveUp(cause);
            return;
        }
        List<SupervisedChild> concerned = concernedBy(failed);
        var restart = new Object();
        for (SupervisedChild child : concerned) {
            child.waitFor(restart);
        }
        for (SupervisedChild child : concerned.reversed()) {
            child.pauseOrStop(child == failed);
            if (child.isTemporary()) {
                remove(child);
            }
        }
        Duration pause = history.pause(spec.backoff());
        if (pause.isZero()) {
            begin(concerned, restart);
        } else {
            Restarts.after(pause, new Delivery(this, new BackoffOver(concerned, restart)));
        }
    }

    private List<SupervisedChild> concernedBy(SupervisedChild failed) {
        return switch (spec.scope()) {
            case ONE_FOR_ONE -> List.of(failed);
            case ONE_FOR_ALL -> children;
            case REST_FOR_ONE -> children.subList(children.indexOf(failed), children.size());
        };
    }

    private void begin(List<SupervisedChild> concerned, Object restart) throws InterruptedException {
        for (SupervisedChild child : concerned) {
            if (isStopping()) {
                return;
            }
            if (!child.isTemporary() && child.waitsFor(restart)) {
                try {
                    child.restart();
                } catch (InterruptedException e) {
                    throw e; // the supervisor is being stopped
                } catch (Throwable t) {
                    Failures.log(this, "could not start child " + LogText.plain(child.name()), null, t);
                    report(new NotStarted(concerned, restart, child, t));
                    return;
                }
            }
        }
    }

    /**
     * Continues a restart in which a child has failed to start. If that child has been stopped meanwhile, only the
     * others still wait for the restart.
     */
    private void repeat(List<SupervisedChild> concerned, Object restart, SupervisedChild failed, Throwable cause)
            throws InterruptedException {
        if (failed.waitsFor(restart)) {
            restart(failed, cause);
        } else {
            begin(concerned, restart);
        }
    }

    private void giveUp(Throwable cause) {
        KernelLog.tooManyRestarts(this, cause);
        lifecycle().failWith(cause);
        stop();
    }

    // ---- the end

    @Override
    void stopChildren(List<ActorState<?>> actors, StopMode mode) {
        if (mode == StopMode.DRAIN) {
            children.reversed().forEach(SupervisedChild::stopInTime);
        }
        super.stopChildren(actors, mode); // also children that the supervisor did not start itself
    }
}
