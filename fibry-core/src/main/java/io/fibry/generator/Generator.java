package io.fibry.generator;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorExit;
import io.fibry.ActorInterruptedException;
import io.fibry.ActorStoppedException;
import io.fibry.ForwardingActor;
import io.fibry.StopMode;
import io.fibry.ThrowingConsumer;
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
 * An actor that runs code which yields values, for one reader. The code runs at once, beside the reader, and waits when too many values
 * have not been read: that is backpressure.
 *
 * {@snippet class = "ShapeSnippets" region = "generator"}
 *
 * <p><b>Reading.</b> By {@link #iterator}, hence also in a {@code for} loop, or by {@link #stream}; once, and by one thread at a time.
 * The reader gets all values in order. Then it gets what the code has thrown: an unchecked exception as it is, and any other in a
 * {@link GeneratorFailedException}. The actor reports it, too.
 *
 * <p><b>Closing.</b> A reader that stops early has to close the generator, or its stream: {@link #close} interrupts the code, and waits until it
 * has ended. Otherwise the code waits for ever, and keeps the JVM alive. Closing again has no effect. If the code
 * had not come to its end, a reader that goes on gets {@link ActorStoppedException}, also if somebody else has interrupted the generator. So it never
 * takes a part for the whole.
 *
 * <p><b>Stops.</b> {@link StopMode#DRAIN} and {@link StopMode#DISCARD} let the code go on, as it is the message at work of this actor, and only
 * {@link StopMode#INTERRUPT} ends it.
 *
 * <p>The code waits on its thread. So an executor that runs it on the caller's thread is not suitable.
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
     * @param code yields values by calling its argument, from its own thread only. That waits for room, and throws
     *     {@link ActorInterruptedException} if the generator is closed
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    public static <T> Generator<T> start(
            ActorBuilder<Object> builder, ThrowingConsumer<Consumer<T>> code, GeneratorOptions options) {
        Objects.requireNonNull(code, "code");
        var yielding = new Yielding<>(code, options.buffer());
        Actor<Void> actor = builder.onStopRequested(yielding::stopRequested)
                .onStop(yielding::end)
                .runOnce(yielding::run);
        var generator = new Generator<>(actor, yielding);
        generator.beFoundByName();
        return generator;
    }

    /**
     * Begins to read.
     *
     * @throws IllegalStateException if it is being read already
     */
    @Override
    public Iterator<T> iterator() {
        if (!read.compareAndSet(false, true)) {
            throw new IllegalStateException("generator " + name() + " is being read already");
        }
        return new Reader<>(yielding, this);
    }

    /**
     * Begins to read as a sequential stream. To close the stream closes the generator.
     *
     * @throws IllegalStateException if it is being read already
     */
    public Stream<T> stream() {
        var values = Spliterators.spliteratorUnknownSize(iterator(), Spliterator.ORDERED | Spliterator.NONNULL);
        return StreamSupport.stream(values, false).onClose(this::close);
    }

    /** As {@link #close(Duration)}: interrupts the code at once, and again after the deadline. But it does not wait. */
    @Override
    public CompletableFuture<ActorExit> stop(Duration deadline) {
        Objects.requireNonNull(deadline, "deadline");
        stop(StopMode.INTERRUPT);
        return super.stop(deadline);
    }

    /**
     * Interrupts the code, and waits until it has ended. If it ignores the interrupt, it is interrupted again after the deadline; one second later, the
     * call gives up as {@link Actor#close(Duration)}.
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
