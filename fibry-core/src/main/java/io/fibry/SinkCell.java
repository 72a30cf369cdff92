package io.fibry;

import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An actor that discards its messages and runs code on a piece of state. */
final class SinkCell<S extends @Nullable Object> extends ActorCell<Object> implements Sink<S> {

    private final S state;

    SinkCell(ActorKind kind, S state) {
        super(kind);
        this.state = state;
    }

    @Override
    void receive(Object message) {
        // a sink discards what it is sent
    }

    @Override
    public void execute(Consumer<? super S> code) {
        Objects.requireNonNull(code, "code");
        execute(() -> code.accept(state));
    }

    @Override
    public Sink<S> closeOnExit(AutoCloseable... resources) {
        tie(resources);
        return this;
    }
}
