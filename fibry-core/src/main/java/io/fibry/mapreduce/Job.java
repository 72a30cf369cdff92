package io.fibry.mapreduce;

import io.fibry.Actor;
import io.fibry.ActorContext;
import io.fibry.ActorStoppedException;
import io.fibry.BehaviorCancelledException;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingFunction;
import io.fibry.dispatch.ControlledFuture;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run, confined to the reducing actor. Its children map one input at a time each. A child receives its
 * next input when its value has been reduced. The number of inputs and values in flight is therefore at most the number
 * of children, and no send ever blocks.
 *
 * <p><b>The result always completes</b>: with the last value, with the failure that ends the run, or in the stop hook,
 * which runs in every case.
 */
final class Job<I extends @Nullable Object, T extends @Nullable Object, R> {

    /** Begins the run. */
    private static final Object BEGIN = new Object();

    /** An input for a child; the value may be null. */
    private record Input<I extends @Nullable Object>(I value) {}

    /** The outcome of mapping an input. */
    private record Mapped<I extends @Nullable Object, T extends @Nullable Object>(
            Actor<Input<I>> by,
            I input,
            @Nullable T value,
            @Nullable Throwable failure) {}

    private record Label(Actor<?> parent) {
        @Override
        public String toString() {
            return parent.name() + ", mapper";
        }
    }

    final CompletableFuture<R> result = ControlledFuture.incomplete();
    final List<MapFailure> failures = new CopyOnWriteArrayList<>();
    volatile MapReduceProgress progress = new MapReduceProgress(0, 0, 0);

    private final Stream<? extends I> inputs;
    private final ThrowingFunction<I, T> mapper;
    private final BiFunction<R, T, R> reducer;
    private final MapReduceOptions options;
    private final ThreadStrategy strategy;
    private volatile boolean stopping;

    // Used in the actor's turns only
    private R reduced;
    private @Nullable Iterator<? extends I> rest;
    private final List<Actor<?>> mappers = new ArrayList<>();
    private int running;
    private long count;
    private long failed;

    Job(
            Stream<? extends I> inputs,
            ThrowingFunction<I, T> mapper,
            R initial,
            BiFunction<R, T, R> reducer,
            MapReduceOptions options,
            ThreadStrategy strategy) {
        this.inputs = inputs;
        this.mapper = mapper;
        this.reducer = reducer;
        this.options = options;
        this.strategy = strategy;
        reduced = initial;
    }

    /** Requests the start of the run. Called by the factory of the actor. */
    void begin(ActorContext<Object> context) {
        context.pipeToSelf(CompletableFuture.completedFuture(BEGIN), (begin, failure) -> BEGIN);
    }

    /** The actor takes no more inputs. Any thread. */
    void stopRequested() {
        stopping = true;
    }

    /** The actor ends. */
    void end(String name) {
        result.completeExceptionally(new ActorStoppedException(name + " was stopped before it had its result", null));
        inputs.close();
    }

    @SuppressWarnings("unchecked") // the actor gets no other messages
    void handle(ActorContext<Object> context, Object message) {
        try {
            if (message == BEGIN) {
                rest = inputs.iterator();
                while (mappers.size() < options.parallelism() && hasNext()) {
                    give(newMapper(context));
                }
            } else if (message instanceof Mapped<?, ?> mapped) {
                reduce((Mapped<I, T>) mapped);
            }
            note();
            if (running == 0 && !hasNext() && !stopping) {
                result.complete(reduced);
                context.self().stop();
            }
        } catch (Throwable t) { // of the inputs or the reducer, or the failure of a mapper that ends the run
            fail(context, t);
        }
    }

    private boolean hasNext() {
        return rest != null && !stopping && !result.isDone() && rest.hasNext();
    }

    private Actor<Input<I>> newMapper(ActorContext<Object> context) {
        Actor<Object> parent = context.self();
        Actor<Input<I>> child = context.spawn()
                .strategy(strategy)
                .label(new Label(parent))
                .newActorFrom(own -> input -> map(parent, own.self(), input.value()));
        mappers.add(child);
        return child;
    }

    private void give(Actor<Input<I>> child) {
        if (rest != null) {
            child.tell(new Input<>(rest.next()));
            running++;
        }
    }

    /** In a child. */
    private void map(Actor<Object> parent, Actor<Input<I>> self, I input) {
        Mapped<I, T> mapped;
        try {
            mapped = new Mapped<>(self, input, mapper.apply(input), null);
        } catch (Throwable t) {
            mapped = new Mapped<>(self, input, null, t);
        }
        try {
            parent.tell(mapped);
        } catch (ActorStoppedException e) {
            self.stop(StopMode.DISCARD); // the value is no longer needed
        }
    }

    @SuppressWarnings("NullAway") // without a failure, the value is a T
    private void reduce(Mapped<I, T> mapped) throws Throwable {
        running--;
        if (result.isDone()) {
            return;
        }
        if (mapped.failure() != null) {
            failed++;
            failures.add(new MapFailure(mapped.input(), mapped.failure()));
            if (failed > options.maxFailures()) {
                throw mapped.failure();
            }
        } else {
            reduced = reducer.apply(reduced, mapped.value());
            count++;
        }
        if (hasNext()) {
            give(mapped.by());
        }
    }

    private void note() {
        progress = new MapReduceProgress(running, count, failed);
    }

    private void fail(ActorContext<Object> context, Throwable t) {
        note();
        result.completeExceptionally(BehaviorCancelledException.asFailure(t));
        mappers.forEach(mapper -> mapper.stop(StopMode.INTERRUPT));
        context.self().stop(StopMode.DISCARD);
        if (t instanceof Error error) {
            throw error;
        }
    }
}
