package io.fibry;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * An actor that starts others, restarts them when they fail, and stops them in the reverse order of their start. It takes no
 * messages. Children come with its specification, or while it runs. Made by {@link ActorBuilder#newSupervisor}; {@link SupervisorSpec} says what it does. A supervisor may be the child of
 * another.
 *
 * <p>{@code stop()} stops the children one after the other, each with its own time for shutdown; the harder modes stop all at
 * once. When there are too many restarts, the supervisor ends as failed, with the last failure as its cause.
 */
public final class Supervisor extends ForwardingActor<Void> {

    private final SupervisorCell cell;

    Supervisor(SupervisorCell cell) {
        super(cell.asActor());
        this.cell = cell;
    }

    /** The child with this name, if it is alive; a child that is started anew is another actor. */
    public Optional<Actor<?>> child(String name) {
        return cell.child(name);
    }

    /** The names of the children that are alive or being restarted, in the order of their start. */
    public List<String> children() {
        return cell.childNames();
    }

    /** As the other one, with five seconds for its shutdown. */
    public <A extends Actor<?>> CompletableFuture<A> start(
            String name, SupervisorSpec.Restart restart, Function<ActorBuilder<Object>, A> start) {
        return start(name, restart, SupervisorSpec.SHUTDOWN, start);
    }

    /**
     * Starts one more child, behind those that there are; otherwise as {@link SupervisorSpec#child(String, SupervisorSpec.Restart,
     * Duration, Function)}. Any thread may call it. The supervisor starts the child in its own turn.
     *
     * @return the child once it has started. The future fails with what the start function threw, and then there is no such child;
     *     with {@link IllegalStateException} if there is a child with that name that lives or is being restarted; and with
     *     {@link ActorStoppedException} if the supervisor has been stopped
     * @throws IllegalArgumentException if the name is blank, or the duration is negative
     */
    public <A extends Actor<?>> CompletableFuture<A> start(
            String name, SupervisorSpec.Restart restart, Duration shutdown, Function<ActorBuilder<Object>, A> start) {
        return cell.askStart(new SupervisorSpec.Child(name, restart, shutdown, start));
    }

    /**
     * Stops a child, as the end of the supervisor would, and forgets it: it is not started again, and its name is free. Any thread
     * may call it. A child that waits for the future of its own stop is interrupted when its time for shutdown is over.
     *
     * @return whether there was a child with that name, once it has ended. The future fails with {@link ActorStoppedException} if
     *     the supervisor has been stopped
     */
    public CompletableFuture<Boolean> stop(String name) {
        return cell.askStop(Objects.requireNonNull(name, "name"));
    }
}
