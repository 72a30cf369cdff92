package io.fibry.mapreduce;

import io.fibry.Actor;
import io.fibry.ActorContext;
import io.fibry.ActorExit;
import io.fibry.ActorStoppedException;
import io.fibry.BehaviorCancelledException;
import io.fibry.StopMode;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingFunction;
import io.fibry.dispatch.ControlledFuture;
import io.fibry.dispatch.OutOfMemory;
import io.fibry.dispatch.Time;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run. The reducing actor reads the inputs and puts them into a queue, from which its children take
 * them. A child maps several inputs in a turn if they are mapped quickly, and passes their values on as one
 * {@link Batch}, so that short inputs do not cost two messages each. As long as an input takes longer, the actor reads
 * one only for a child that is idle. No send ever blocks.
 *
 * <p><b>No input is missed.</b> The actor adds an input, and then wakes a child that is idle. A child that finds no
 * input joins the idle ones, and then looks again. If the input was added before, the child finds it. If it is added
 * after, the actor finds the child.
 *
 * <p><b>No child is forgotten.</b> A child that becomes idle passes on a batch, even if it is empty. The actor then
 * reads an input for it.
 *
 * <p><b>The result always completes</b>: with the last value, with the failure that ends the run, or in the stop hook,
 * which runs in every case. A child that fails has lost inputs: its executor has rejected it, or stack or memory has
 * run out outside the mapper. The stop hook of the child then fails the result.
 */
final class Job<I extends @Nullable Object, T extends @Nullable Object, R> {

    /** Begins the run. */
    private static final Object BEGIN = new Object();

    /** Makes a child take inputs. */
    private static final Object TAKE = new Object();

    /** Stands for null in the queue. */
    private static final Object NULL = new Object();

    private static final Consumer<Job<?, ?, ?>> NOTE = Job::note;
    private static final BiConsumer<Job<?, ?, ?>, Throwable> FAIL = Job::failResult;
    private static final BiConsumer<Job<?, ?, ?>, Actor<?>> STOP = Job::stop;
    private static final BiConsumer<Job<?, ?, ?>, String> END = Job::failAsStopped;
    private static final Consumer<Actor<?>> INTERRUPT = Job::interrupt;

    /** The maximum number of inputs in a batch. */
    private static final int MAX_BATCH = 64;

    /**
     * The maximum number of inputs per child that have been read, but whose values have not been reduced. It exceeds
     * those in the queue, and those that a child holds while it maps a longer one, so it applies only if batches wait.
     */
    private static final int MAX_IN_FLIGHT = 4 * MAX_BATCH;

    /** The time after which a child takes no further input into a batch, and the actor reads none ahead. */
    private static final long SLICE_NANOS = 100_000;

    /** The number of inputs after which the clock is read, which may take longer than an input. */
    private static final int LOOK_AFTER = 8;

    /** An input that takes longer is worth a message of its own. */
    private static final long SHORT_NANOS = 50_000;

    /** The outcomes of a turn of a child. The last input may have failed. */
    private static final class Batch<T extends @Nullable Object> {
        final List<T> values = new ArrayList<>();

        @Nullable
        MapFailure failure;

        long nanos;

        int size() {
            return values.size() + (failure == null ? 0 : 1);
        }
    }

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
    private final Queue<Object> queue = new ConcurrentLinkedQueue<>(); // filled by the actor, emptied by its children
    private final Queue<Actor<Object>> idle = new ConcurrentLinkedQueue<>(); // filled by the children

    // Used in the actor's turns only
    private R reduced;
    private Iterator<? extends I> rest = Collections.emptyIterator(); // until the run begins
    private final List<Actor<Object>> children = new ArrayList<>();
    private final List<AtomicLong> taken = new ArrayList<>(); // the inputs of each child, which alone writes it
    private long read;
    private int batchSize = 1; // expected
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
        OutOfMemory.repeat(END, this, name);
        inputs.close();
    }

    private void failAsStopped(String name) {
        result.completeExceptionally(new ActorStoppedException(name + " was stopped before it had its result", null));
    }

    @SuppressWarnings("unchecked") // the actor gets no other messages
    void handle(ActorContext<Object> context, Object message) {
        try {
            if (message == BEGIN) {
                rest = inputs.iterator();
            } else if (message instanceof Batch<?> batch) {
                reduce((Batch<T>) batch);
            }
            read(context);
            note();
            if (inFlight() == 0 && !stopping && !hasNext()) {
                result.complete(reduced);
                context.self().stop();
            }
        } catch (Throwable t) { // of the inputs or the reducer, or the failure of a mapper that ends the run
            fail(context, t);
        }
    }

    private boolean hasNext() {
        return !stopping && !result.isDone() && rest.hasNext();
    }

    /** The inputs that have been read, but whose values have not been reduced. */
    private long inFlight() {
        return read - count - failed;
    }

    /**
     * Reads an input for each idle child, and others ahead. Reading may block, so without an idle child it ends after a
     * while, and the actor reduces the values that have arrived.
     */
    private void read(ActorContext<Object> context) {
        long begun = taken.stream().mapToLong(AtomicLong::get).sum();
        long ahead = batchSize == 1 ? 0 : 2L * batchSize * options.parallelism();
        long most = (long) MAX_IN_FLIGHT * options.parallelism();
        long start = Time.nanos();
        while (inFlight() < most && (wantsInput() || (read - begun < ahead && !isTimeOver(read, start))) && hasNext()) {
            I input = rest.next();
            read++;
            queue.add(input == null ? NULL : input);
            wakeOne(context);
        }
    }

    private boolean wantsInput() {
        return !idle.isEmpty() || children.size() < options.parallelism();
    }

    private void wakeOne(ActorContext<Object> context) {
        Actor<Object> child = idle.poll();
        if (child == null && children.size() < options.parallelism()) {
            child = newChild(context);
        }
        if (child != null) {
            child.tell(TAKE);
        }
    }

    private Actor<Object> newChild(ActorContext<Object> context) {
        Actor<Object> parent = context.self();
        var takenHere = new AtomicLong();
        Actor<Object> child = context.spawn()
                .strategy(strategy)
                .label(new Label(parent))
                .supervision(Supervision.stop())
                .onStop(exit -> childEnded(parent, exit))
                .newActorFrom(own -> take -> map(takenHere, parent, own.self()));
        children.add(child);
        taken.add(takenHere);
        return child;
    }

    // ---- in a child

    /**
     * Called by the thread that ends a child. A failed child ends the run, since its inputs have no outcome. After a
     * stop, or after the last value, the run ends anyway: an executor that has been shut down may reject idle children.
     */
    private void childEnded(Actor<Object> parent, ActorExit exit) {
        Throwable cause = exit.cause();
        if (cause == null || stopping) {
            return;
        }
        try {
            OutOfMemory.repeat(FAIL, this, cause);
        } finally {
            if (result.state() != Future.State.SUCCESS) {
                OutOfMemory.repeat(INTERRUPT, parent);
            }
        }
    }

    private static void interrupt(Actor<?> actor) {
        actor.stop(StopMode.INTERRUPT);
    }

    private void map(AtomicLong takenHere, Actor<Object> parent, Actor<Object> self) {
        var batch = new Batch<T>();
        map(takenHere, batch);
        boolean goesOn = !isOver() && !isIdle(self);
        try {
            parent.tell(batch);
            if (goesOn) {
                self.tell(TAKE);
            }
        } catch (ActorStoppedException e) {
            self.stop(StopMode.DISCARD); // the values are no longer needed
        }
    }

    private boolean isIdle(Actor<Object> self) {
        if (!queue.isEmpty()) {
            return false;
        }
        idle.add(self);
        return queue.isEmpty() || !idle.remove(self); // if it is not there, the actor has sent TAKE
    }

    private void map(AtomicLong takenHere, Batch<T> batch) {
        long start = Time.nanos();
        boolean goesOn = true;
        while (goesOn && !isOver()) {
            Object next = queue.poll();
            if (next == null) {
                break;
            }
            takenHere.lazySet(takenHere.getPlain() + 1);
            mapOne(batch, next);
            goesOn = batch.failure == null
                    && batch.size() < MAX_BATCH
                    && !isTimeOver(batch.size() - 1, start)
                    && !Thread.currentThread().isInterrupted(); // an interrupt must not reach the next input
        }
        batch.nanos = Time.nanos() - start;
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // the queue has only inputs, and null stands for a null input
    private void mapOne(Batch<T> batch, Object next) {
        I input = next == NULL ? null : (I) next;
        try {
            batch.values.add(mapper.apply(input));
        } catch (Throwable t) {
            batch.failure = new MapFailure(input, t);
        }
    }

    private static boolean isTimeOver(long inputs, long start) {
        return inputs % LOOK_AFTER == 0 && Time.nanos() - start >= SLICE_NANOS;
    }

    private boolean isOver() {
        return stopping || result.isDone();
    }

    // ---- in the actor

    private void reduce(Batch<T> batch) throws Throwable {
        if (result.isDone()) {
            return;
        }
        for (T value : batch.values) {
            reduced = reducer.apply(reduced, value);
            count++;
        }
        if (batch.failure != null) {
            failed++;
            failures.add(batch.failure);
            if (failed > options.maxFailures()) {
                throw batch.failure.cause();
            }
        }
        if (batch.size() > 0) {
            batchSize = batch.nanos / batch.size() < SHORT_NANOS ? Math.min(2 * batchSize, MAX_BATCH) : 1;
        }
    }

    private void note() {
        int busy = children.size() - idle.size();
        progress = new MapReduceProgress((int) Math.min(busy, inFlight()), count, failed);
    }

    private void fail(ActorContext<Object> context, Throwable t) {
        OutOfMemory.repeat(NOTE, this); // first, since dependents of the result may read the progress
        try {
            OutOfMemory.repeat(FAIL, this, t);
        } finally { // if the text of the failure throws, the stop hook completes the result
            OutOfMemory.repeat(STOP, this, context.self());
        }
        if (t instanceof Error error) {
            throw error;
        }
    }

    /** Any thread. Has no effect if the result is complete. */
    private void failResult(Throwable t) {
        result.completeExceptionally(BehaviorCancelledException.asFailure(t));
    }

    private void stop(Actor<?> self) {
        children.forEach(INTERRUPT);
        self.stop(StopMode.DISCARD);
    }
}
