package io.fibry.generator;

import io.fibry.ActorInterruptedException;
import io.fibry.StopMode;
import io.fibry.ThrowingConsumer;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The execution of a generator's code, and its outcome. The outcome is written before the end of the ring, and read
 * only after that end was seen.
 */
final class Yielding<T> {

    final Ring<T> ring;
    private final ThrowingConsumer<Consumer<T>> code;
    private @Nullable Thread thread; // runs the code; read by other threads only on misuse
    private volatile boolean interrupted;
    private volatile boolean returned;
    private volatile @Nullable Throwable failure;

    Yielding(ThrowingConsumer<Consumer<T>> code, int buffer) {
        this.code = code;
        ring = new Ring<>(buffer);
    }

    /** Runs the code. */
    void run() throws Exception {
        thread = Thread.currentThread();
        try {
            code.accept(this::put);
            returned = true;
        } catch (Throwable t) {
            failure = t;
            throw t;
        } finally {
            thread = null;
            ring.end();
        }
    }

    private void put(T value) {
        Objects.requireNonNull(value, "value");
        if (Thread.currentThread() != thread) {
            throw new IllegalStateException(
                    "only the code of a generator yields values, on its own thread, while it runs");
        }
        try {
            ring.put(value);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ActorInterruptedException("interrupted while the generator waited for its reader", e);
        }
    }

    void stopRequested(StopMode mode) {
        if (mode == StopMode.INTERRUPT) {
            interrupted = true;
        }
    }

    /** Called when the actor ends, possibly before the code has run. */
    void end() {
        ring.end();
    }

    /** Whether the code has returned, normally or because of an interrupt. */
    boolean hasReturned() {
        return returned;
    }

    boolean isInterrupted() {
        return interrupted;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }
}
