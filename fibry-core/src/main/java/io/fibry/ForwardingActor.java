package io.fibry;

import io.fibry.kernel.Handles;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An actor that forwards every call to another one: a base class for handles with additional methods, such as a server
 * with its port. Where the library takes an actor, for instance as a parent, it uses the wrapped actor.
 *
 * @param <M> the type of the messages
 */
public abstract class ForwardingActor<M> implements Actor<M> {

    private final Actor<M> actor;

    /** Creates a handle to an actor. */
    protected ForwardingActor(Actor<M> actor) {
        this.actor = Objects.requireNonNull(actor, "actor");
    }

    /**
     * Makes {@link ActorSystem#find} return this handle instead of the wrapped actor. If this handle is a
     * {@link MetricSource}, {@link ActorSystem#metrics()} includes its metrics. Call this method when the handle is
     * fully constructed. It has no effect on {@code find} if the actor has no name; for {@code metrics()} a label is
     * sufficient.
     */
    protected final void beFoundByName() {
        Handles.publish(this);
    }

    /** Returns the actor to which this handle forwards its calls. It may be another handle. */
    public final Actor<M> delegate() {
        return actor;
    }

    @Override
    public void tell(M message) {
        actor.tell(message);
    }

    @Override
    public boolean tryTell(M message) {
        return actor.tryTell(message);
    }

    @Override
    public void tellAll(List<? extends M> messages) {
        actor.tellAll(messages);
    }

    @Override
    public <R extends @Nullable Object> CompletableFuture<R> ask(Function<ReplyTo<R>, M> message, Duration timeout) {
        return actor.ask(message, timeout);
    }

    @Override
    public CompletableFuture<@Nullable Void> whenWritable() {
        return actor.whenWritable();
    }

    @Override
    public OptionalInt mailboxSize() {
        return actor.mailboxSize();
    }

    @Override
    public void execute(Runnable task) {
        actor.execute(task);
    }

    @Override
    public String name() {
        return actor.name();
    }

    @Override
    public void stop(StopMode mode) {
        actor.stop(mode);
    }

    @Override
    public CompletableFuture<ActorExit> stop(Duration deadline) {
        return actor.stop(deadline);
    }

    @Override
    public boolean close(Duration deadline) {
        return actor.close(deadline);
    }

    @Override
    public CompletableFuture<ActorExit> exit() {
        return actor.exit();
    }

    @Override
    public void waitForExit() {
        actor.waitForExit();
    }

    @Override
    public boolean waitForExit(Duration timeout) {
        return actor.waitForExit(timeout);
    }

    @Override
    public Actor<M> closeOnExit(AutoCloseable... resources) {
        actor.closeOnExit(resources);
        return this;
    }

    @Override
    public String toString() {
        return actor.toString();
    }
}
