package io.fibry;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An actor that discards its messages and runs code: the owner of a piece of state, which others change by sending it the
 * code to do so.
 *
 * {@snippet class = "ActorSnippets" region = "sink"}
 *
 * @param <S> the type of the state
 */
public interface Sink<S extends @Nullable Object> extends Actor<Object> {

    /**
     * Runs code on the state, inside the actor; otherwise as {@link #execute(Runnable)}. A method reference that fits both
     * has to be written as a lambda.
     *
     * @throws NullPointerException if the code is null
     * @throws ActorStoppedException if the actor has been stopped; the code is not run
     */
    void execute(Consumer<? super S> code);

    @Override
    Sink<S> closeOnExit(AutoCloseable... resources);
}
