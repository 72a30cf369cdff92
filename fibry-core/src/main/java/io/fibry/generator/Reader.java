package io.fibry.generator;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.ActorInterruptedException;
import io.fibry.ActorStoppedException;
import io.fibry.dispatch.LogText;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The iterator over the values of a generator. */
final class Reader<T> implements Iterator<T> {

    private final Yielding<T> yielding;
    private final Actor<?> generator;
    private @Nullable T next;

    Reader(Yielding<T> yielding, Actor<?> generator) {
        this.yielding = yielding;
        this.generator = generator;
    }

    @Override
    public boolean hasNext() {
        if (next == null) {
            next = take();
        }
        return next != null;
    }

    @Override
    public T next() {
        T value = next != null ? next : take();
        if (value == null) {
            throw new NoSuchElementException(
                    "generator " + LogText.plain(generator.name()) + " has yielded all of its values");
        }
        next = null;
        return value;
    }

    private @Nullable T take() {
        if (yielding.isInterrupted() && !hasEndedByItself()) {
            throw stopped(null);
        }
        try {
            T value = yielding.ring.take();
            if (value == null) {
                checkComplete();
            }
            return value;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ActorInterruptedException("interrupted while reading from generator " + generator.name(), e);
        }
    }

    private boolean hasEndedByItself() {
        CompletableFuture<ActorExit> exit = generator.exit();
        return exit.isDone() && exit.join().isNormal();
    }

    /**
     * Throws unless the code has completed. Only the exit of the actor is conclusive: interrupted code may have
     * returned normally.
     */
    private void checkComplete() {
        ActorExit exit = generator.exit().join();
        if (exit.isNormal() && yielding.hasReturned()) {
            return;
        }
        Throwable failure = yielding.failure();
        if (failure == null || exit.reason() == ActorExit.Reason.INTERRUPTED) {
            throw stopped(failure);
        }
        switch (failure) {
            case CancellationException e -> throw new GeneratorFailedException(generator.name(), e);
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new GeneratorFailedException(generator.name(), failure);
        }
    }

    private ActorStoppedException stopped(@Nullable Throwable cause) {
        return new ActorStoppedException(
                "generator " + generator.name() + " was stopped before it had yielded all of its values", cause);
    }
}
