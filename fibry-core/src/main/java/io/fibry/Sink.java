package io.fibry;

import io.fibry.kernel.DirectCall;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An actor that owns a state. Callers send code that reads or changes the state; the actor runs the code one piece at a
 * time, and discards messages.
 *
 * {@snippet class = "ActorSnippets" region = "sink"}
 *
 * @param <S> the type of the state
 */
public interface Sink<S extends @Nullable Object> extends Actor<Object> {

    /**
     * Runs code on the state, inside the actor; otherwise as {@link #execute(Runnable)}. If a method reference is
     * ambiguous between the two, write a lambda.
     *
     * @throws NullPointerException if the code is null
     * @throws ActorStoppedException if the actor has been stopped; the code is not run
     */
    void execute(ThrowingConsumer<S> code);

    /**
     * Runs a function on the state inside the actor, after the code sent before it, and completes the future with its
     * result. The future completes as described for {@link ReplyActor#ask(Object)}. The function must not return a
     * mutable part of the state: return a copy or an immutable value.
     *
     * @throws NullPointerException if the question is null
     */
    <R extends @Nullable Object> CompletableFuture<R> ask(ThrowingFunction<S, R> question);

    /**
     * As {@link #ask(ThrowingFunction)}, and waits for the result.
     *
     * @return the result
     * @throws ActorStoppedException if the actor has been stopped, or was stopped before it ran the function
     * @throws ActorInterruptedException if the thread is interrupted while it waits; the ask is then cancelled
     * @throws Exception the exception that the function threw
     */
    default <R extends @Nullable Object> R call(ThrowingFunction<S, R> question) throws Exception {
        return DirectCall.await(ask(question));
    }

    @Override
    Sink<S> closeOnExit(AutoCloseable... resources);
}
