package io.fibry.mapreduce;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorContext;
import io.fibry.ForwardingActor;
import io.fibry.StopMode;
import io.fibry.ThrowingFunction;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An actor that maps a stream of inputs concurrently, with limited parallelism, and reduces the values to one result.
 * All methods are safe for use by any thread.
 *
 * {@snippet class = "ShapeSnippets" region = "mapReduce"}
 *
 * <p><b>Order.</b> The actor itself reduces the values one at a time, in the order in which they become available,
 * which is not the order of the inputs. The reducer may keep unsynchronized state, such as a list. Its result must not
 * depend on the order.
 *
 * <p><b>Memory.</b> An input is taken from the stream when an actor is free to map it. Inputs that are mapped within 50
 * µs are read ahead, at most 128 for each unit of parallelism. Memory use does not depend on the length of the stream.
 * The actor blocks while it reads the stream, and closes the stream when the actor ends.
 *
 * <p><b>Failures.</b> A failed input ends the run, or is collected; see {@link MapReduceOptions#maxFailures}. An
 * exception of the reducer or of the stream always ends the run: running mappers are interrupted, and the result fails.
 * The run ends in the same way if the executor of the strategy rejects a mapper.
 *
 * <p><b>Stops.</b> {@link #cancel} interrupts the mappers. With a softer stop, the actor takes no more inputs and lets
 * running mappers finish. Unless the run is complete, the result fails with {@link io.fibry.ActorStoppedException}. The
 * actor ends after its result.
 *
 * @param <R> the type of the result
 */
public final class MapReduce<R> extends ForwardingActor<Void> {

    private final Job<?, ?, R> job;

    private MapReduce(Actor<Void> actor, Job<?, ?, R> job) {
        super(actor);
        this.job = job;
    }

    /**
     * Starts a run.
     *
     * @param builder its strategy is that of the actor and of the mappers
     * @param inputs the stream that the actor reads, and closes when it ends
     * @param initial the result of an empty stream
     * @param reducer combines the intermediate result and a value into the new intermediate result
     * @throws IllegalArgumentException if the builder has {@link ActorBuilder#supervision}: the stream cannot be read
     *     again after a restart; or if it has {@link ActorBuilder#bounded} or {@link ActorBuilder#priority}: the actor
     *     receives only messages of its mappers
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    @SuppressWarnings("unchecked") // the actor discards messages of other types
    public static <I extends @Nullable Object, T extends @Nullable Object, R> MapReduce<R> start(
            ActorBuilder<Object> builder,
            Stream<? extends I> inputs,
            ThrowingFunction<I, T> mapper,
            R initial,
            BiFunction<R, T, R> reducer,
            MapReduceOptions options) {
        var job = new Job<>(
                Objects.requireNonNull(inputs, "inputs"),
                Objects.requireNonNull(mapper, "mapper"),
                Objects.requireNonNull(initial, "initial"),
                Objects.requireNonNull(reducer, "reducer"),
                Objects.requireNonNull(options, "options"),
                builder.strategy());
        Actor<Object> actor = builder.checkNoMailbox("the inputs that wait are limited by the parallelism")
                .checkNoSupervision("a stream cannot be read again; use MapReduceOptions.maxFailures(..)")
                .copy()
                .onStopRequested(mode -> job.stopRequested())
                .onStop(exit -> job.end("a map-reduce"))
                .newActorFrom((ActorContext<Object> context) -> {
                    job.begin(context);
                    return message -> job.handle(context, message);
                });
        var run = new MapReduce<>((Actor<Void>) (Actor<?>) actor, job);
        run.beFoundByName();
        return run;
    }

    /**
     * Returns the future of the result. It fails with the exception of the mapper, the reducer, the stream or the
     * executor that has ended the run, or with {@link io.fibry.ActorStoppedException}. A
     * {@link java.util.concurrent.CancellationException} thrown by this code becomes the cause of a
     * {@link io.fibry.BehaviorCancelledException}. Completing or cancelling the future has no effect on the run.
     */
    public CompletableFuture<R> result() {
        return job.result.copy();
    }

    /** Returns the inputs that have failed so far, in the order of their failures. */
    public List<MapFailure> failures() {
        return List.copyOf(job.failures);
    }

    /** Returns the current counts. */
    public MapReduceProgress progress() {
        return job.progress;
    }

    /** Ends the run at once: {@code stop(StopMode.INTERRUPT)}. Does not wait. */
    public void cancel() {
        stop(StopMode.INTERRUPT);
    }

    @Override
    public MapReduce<R> closeOnExit(AutoCloseable... resources) {
        super.closeOnExit(resources);
        return this;
    }
}
