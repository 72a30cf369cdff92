package io.fibry.mapreduce;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorContext;
import io.fibry.ForwardingActor;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingFunction;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An actor that maps a stream of inputs, so many at a time, and reduces the values to one result. Any thread may call any method.
 *
 * {@snippet class = "ShapeSnippets" region = "mapReduce"}
 *
 * <p><b>Order.</b> The values are reduced one at a time, by the actor itself, in the order in which they are there, which is not that of the inputs. So
 * the reducer may keep plain state, such as a list, and its result must not depend on the order.
 *
 * <p><b>Memory.</b> An input is taken from the stream when an actor is free to map it. So neither inputs nor values pile up, however long the
 * stream is. The actor waits for a stream that is slow, and closes it at its end.
 *
 * <p><b>Failures.</b> A failed input ends the run, or is collected; see {@link MapReduceOptions#maxFailures}. What the reducer or the stream
 * throws always ends it. Then the mappers at work are interrupted, and the result fails.
 *
 * <p><b>Stops.</b> {@link #cancel} interrupts the mappers. A softer stop takes no more inputs, and lets the mappers finish. Unless the run was over,
 * the result fails with {@link io.fibry.ActorStoppedException}. After its result, the actor ends by itself.
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
     * @param strategy the threads of the actor, and of those that map
     * @param inputs is read by the actor, and closed at its end
     * @param initial the result without any input
     * @param reducer gets the result so far and a value, and returns the new result
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    @SuppressWarnings("unchecked") // the actor discards what is no message of its own
    public static <I extends @Nullable Object, T extends @Nullable Object, R> MapReduce<R> start(
            ActorBuilder<Object> builder,
            ThreadStrategy strategy,
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
                strategy);
        Actor<Object> actor = builder.strategy(strategy)
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
     * The result. It fails with what has ended the run: what a mapper, the reducer or the stream has thrown, or
     * {@link io.fibry.ActorStoppedException}. To complete or cancel the future has no effect on the run.
     */
    public CompletableFuture<R> result() {
        return job.result.copy();
    }

    /** The inputs that have failed until now, in the order in which they failed. */
    public List<MapFailure> failures() {
        return List.copyOf(job.failures);
    }

    /** How far it has come. */
    public Progress progress() {
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
