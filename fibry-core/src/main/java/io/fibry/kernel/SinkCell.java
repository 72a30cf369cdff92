package io.fibry.kernel;

import io.fibry.Sink;
import io.fibry.ThrowingConsumer;
import io.fibry.ThrowingFunction;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An actor that discards its messages and runs code on a piece of state. */
final class SinkCell<S extends @Nullable Object> extends ActorCell<Object> implements Sink<S> {

    /** Code to run on the state, as the message of an envelope for a task. */
    private record Code<S extends @Nullable Object>(ThrowingConsumer<S> code) {}

    private @Nullable S state; // null after the end

    SinkCell(ActorKind kind, S state) {
        super(kind);
        this.state = state;
    }

    @Override
    void receive(Object message) {
        // a sink discards messages
    }

    @Override
    public void execute(ThrowingConsumer<S> code) {
        send(envelope(new Code<>(Objects.requireNonNull(code, "code")), Reply.OF_TASK));
    }

    @Override
    @SuppressWarnings("unchecked") // created by this object
    void run(Object task) throws Exception {
        if (task instanceof Code<?> c) {
            ((ThrowingConsumer<@Nullable S>) c.code).accept(state);
        } else {
            super.run(task);
        }
    }

    @Override
    Class<?> behaviorType() {
        return Sink.class;
    }

    @Override
    void releaseBehavior() {
        state = null;
    }

    @Override
    public <R extends @Nullable Object> CompletableFuture<R> ask(ThrowingFunction<S, R> question) {
        return AskSender.send(this, Objects.requireNonNull(question, "question"), Reply.of(this, captured()));
    }

    @Override
    @SuppressWarnings("unchecked") // every ask of this actor is a question about its state
    @Nullable
    Object answer(Object question) throws Exception {
        return ((ThrowingFunction<@Nullable S, ?>) question).apply(state);
    }

    @Override
    public Sink<S> closeOnExit(AutoCloseable... resources) {
        tie(resources);
        return this;
    }
}
