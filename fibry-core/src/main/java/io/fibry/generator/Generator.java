package io.fibry.generator;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorExit;
import io.fibry.ActorInterruptedException;
import io.fibry.ActorStoppedException;
import io.fibry.ForwardingActor;
import io.fibry.StopMode;
import io.fibry.ThrowingConsumer;
import io.fibry.dispatch.LogText;
import java.time.Duration;
import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * An actor that runs code which yields values to one reader. The code starts at once, runs concurrently with the
 * reader, and blocks while too many values are unread (backpressure).
 *
 * {@snippet class = "ShapeSnippets" region = "generator"}
 *
 * <p><b>Reading.</b> The values can be read once, by one thread at a time, with {@link #iterator}, a {@code for} loop,
 * or {@link #stream}. The reader receives all values in order. If the code throws, the reader then receives the
 * exception: an unchecked exception as is, a checked exception or a cancellation wrapped in a
 * {@link GeneratorFailedException}. The actor also logs it.
 *
 * <p><b>Closing.</b> A reader that stops early must close the generator or its stream: {@link #close} interrupts the
 * code and waits for its end. Otherwise the code blocks forever and keeps the JVM alive. Closing again has no effect.
 * If the code has been interrupted before its end, a reader that continues receives an {@link ActorStoppedException},
 * so that it does not mistake a part of the values for all of them.
 *
 * <p><b>Stops.</b> The code is the current message of this actor: {@link StopMode#DRAIN} and {@link StopMode#DISCARD}
 * let it finish, and only {@link StopMode#INTERRUPT} ends it.
 *
 * <p>The code blocks its thread: an executor that runs tasks on the caller's thread is not supported.
 *
 * @param <T> the type of the values
 */
public final class Generator<T> extends ForwardingActor<Void> implements Iterable<T> {

    private final Yielding<T> yielding;
    private final AtomicBoolean read = new AtomicBoolean();

    private Generator(Actor<Void> actor, Yielding<T> yielding) {
        super(actor);
        this.yielding = yielding;
    }

    /**
     * Starts a generator.
     *
     * @param code yields values by calling its argument, from its own thread only. The call blocks while the buffer is
     *     full, and throws {@link ActorInterruptedException} if the generator is closed
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    public static <T> Generator<T> start(
            ActorBuilder<Object> builder, ThrowingConsumer<Consumer<T>> code, GeneratorOptions options) {
        Objects.requireNonNull(code, "code");
        var yielding = new Yielding<>(code, options.buffer());
        Actor<Void> actor = builder.copy()
                .onStopRequested(yielding::stopRequested)
                .onStop(exit -> yielding.end())
                .runOnce(yielding::run);
        var generator = new Generator<>(actor, yielding);
        generator.beFoundByName();
        return generator;
    }

    /**
     * Starts reading.
     *
     * @throws IllegalStateException if it is being read already
     */
    @Override
    public Iterator<T> iterator() {
        if (!read.compareAndSet(false, true)) {
            throw new IllegalStateException("generator " + LogText.plain(name()) + " is being read already");
        }
        return new Reader<>(yielding, this);
    }

    /**
     * Starts reading as a sequential stream. Closing the stream closes the generator.
     *
     * @throws IllegalStateException if it is being read already
     */
    public Stream<T> stream() {
        var values = Spliterators.spliteratorUnknownSize(iterator(), Spliterator.ORDERED | Spliterator.NONNULL);
        return StreamSupport.stream(values, false).onClose(this::close);
    }

    /** Interrupts the code at once, and again at the deadline, like {@link #close(Duration)}, but does not wait. */
    @Override
    public CompletableFuture<ActorExit> stop(Duration deadline) {
        Objects.requireNonNull(deadline, "deadline");
        stop(StopMode.INTERRUPT);
        return super.stop(deadline);
    }

    /**
     * Interrupts the code and waits for its end. Code that ignores the interrupt is interrupted again at the deadline;
     * one second later, the call gives up like {@link Actor#close(Duration)}.
     */
    @Override
    public boolean close(Duration deadline) {
        Objects.requireNonNull(deadline, "deadline");
        stop(StopMode.INTERRUPT);
        return super.close(deadline);
    }

    @Override
    public Generator<T> closeOnExit(AutoCloseable... resources) {
        super.closeOnExit(resources);
        return this;
    }
}
