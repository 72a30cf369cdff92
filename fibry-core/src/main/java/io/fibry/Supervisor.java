package io.fibry;

import io.fibry.kernel.SupervisorCell;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * An actor whose only task is to manage its children: it starts them, restarts them when they fail, and stops them in
 * reverse order. It takes no messages. Children come from its specification, or are added while it runs. Make one with
 * {@link ActorBuilder#newSupervisor}. A supervisor may be the child of another one.
 *
 * <p>{@code stop()} stops the children one after the other, each within its stop timeout; the harder modes stop all
 * children at once. After too many restarts the supervisor fails, with the last failure as its cause.
 */
public final class Supervisor extends ForwardingActor<Void> {

    private final SupervisorCell cell;

    Supervisor(SupervisorCell cell) {
        super(cell.asActor());
        this.cell = cell;
    }

    /** Returns the child with this name, if it is alive. A child that was restarted as a new actor has a new handle. */
    public Optional<Actor<?>> child(String name) {
        return cell.child(name);
    }

    /** Returns the names of the children that are alive or being restarted, in the order of their start. */
    public List<String> children() {
        return cell.childNames();
    }

    /** As {@link #start(String, SupervisorSpec.Restart, Duration, Function)}, with a stop timeout of five seconds. */
    public <A extends Actor<?>> CompletableFuture<A> start(
            String name, SupervisorSpec.Restart restart, Function<ActorBuilder<Object>, A> start) {
        return start(name, restart, SupervisorSpec.SHUTDOWN, start);
    }

    /**
     * Adds a child after the existing children and starts it; otherwise as {@link SupervisorSpec#child(String,
     * SupervisorSpec.Restart, Duration, Function)}. Any thread may call this method. The supervisor starts the child in
     * its own turn.
     *
     * @return the child, once it has started. The future fails with the exception that the start function threw, in
     *     which case the child is not added; with {@link IllegalStateException} if a child with that name lives or is
     *     being restarted; and with {@link ActorStoppedException} if the supervisor has been stopped
     * @throws IllegalArgumentException if the name is blank, or the duration is negative
     */
    public <A extends Actor<?>> CompletableFuture<A> start(
            String name,
            SupervisorSpec.Restart restart,
            Duration stopTimeout,
            Function<ActorBuilder<Object>, A> start) {
        return cell.askStart(new SupervisorSpec.Child(name, restart, stopTimeout, start));
    }

    /**
     * Stops a child within its stop timeout and removes it: it is not restarted, and its name is free. Any thread may
     * call this method. A child must not wait for the future of its own stop.
     *
     * @return whether there was a child with that name, once it has ended. The future fails with
     *     {@link ActorStoppedException} if the supervisor has been stopped
     */
    public CompletableFuture<Boolean> stop(String name) {
        return cell.askStop(Objects.requireNonNull(name, "name"));
    }
}
