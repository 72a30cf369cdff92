package io.fibry.durable;

import io.fibry.dispatch.LogLimit;
import io.fibry.dispatch.LogText;
import io.fibry.durable.Batch.Outcome;
import io.fibry.durable.Projection.Settings;
import io.fibry.durable.ProjectionRows.Unread;
import io.fibry.durable.ProjectionStatus.Failure;
import io.fibry.durable.ProjectionStatus.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for slices with unread events, and runs their batches.
 *
 * <p>A slice is active from its submission to the workers until the end of its batch, unless another batch follows. The
 * poller submits only slices that are not active, so each slice has one batch at a time. Everything is decided under
 * one lock: after {@link #pause} or {@link #close} has set its flag, no slice becomes active, and the last batch that
 * ends signals the caller.
 *
 * <p>An event that is committed after a poll has read its slice is found by the next poll: nothing else wakes the loop.
 */
final class ProjectionLoop {

    private static final Logger LOG = LoggerFactory.getLogger(Projection.class);

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final String name;
    private final EventSource<?> source;
    private final Batch batch;
    private final Thread poller;
    private final ThreadPoolExecutor workers;
    private final LogLimit warnings = new LogLimit();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock
    private final List<Slice> slices = new ArrayList<>();
    private final Retries polls;
    private int active;
    private long events;
    private @Nullable Instant oldest;
    private final List<Runnable> endActions = new ArrayList<>();
    private boolean isPollerAlive = true;

    // Written under the lock; batches read them between two events
    private volatile boolean isPaused;
    private volatile boolean isClosed;

    /** A slice, and how its next batch runs. */
    private static final class Slice {

        final int number;
        final Retries retries;
        int limit = Batch.MAX_EVENTS;
        boolean isActive;

        Slice(int number, Settings settings) {
            this.number = number;
            retries = new Retries(settings.attempts(), settings.backoff());
        }

        void reset() {
            retries.clear();
            limit = Batch.MAX_EVENTS;
        }
    }

    <E> ProjectionLoop(String name, EventSource<E> source, Projection.BatchFactory<E> batches, Settings settings) {
        this.name = LogText.plain(name);
        this.source = source;
        batch = batches.create(source, () -> isPaused || isClosed);
        polls = new Retries(1, settings.backoff());
        for (int i = 0; i < Slices.COUNT; i++) {
            slices.add(new Slice(i, settings));
        }
        var threads = Thread.ofPlatform().daemon().name("fibry-projection-" + this.name + "-", 1);
        workers = new ThreadPoolExecutor(
                settings.parallelism(),
                settings.parallelism(),
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                threads.factory());
        workers.allowCoreThreadTimeOut(true);
        poller = Thread.ofPlatform()
                .daemon()
                .name("fibry-projection-" + this.name)
                .unstarted(this::run);
    }

    void start() {
        batch.begin(this::beginClose);
        poller.start();
    }

    private void run() {
        try {
            while (awaitNextPoll()) {
                poll();
            }
        } finally {
            end();
        }
    }

    /** Returns false when the projection has been closed. */
    private boolean awaitNextPoll() {
        lock.lock();
        try {
            long nanos = POLL_NANOS;
            while (!isClosed && (nanos > 0 || !polls.isDue(System.nanoTime()))) {
                nanos = changed.awaitNanos(nanos > 0 ? nanos : POLL_NANOS);
            }
            return !isClosed;
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts the thread of a projection", e);
        } finally {
            lock.unlock();
        }
    }

    private void poll() {
        try {
            List<Unread> unread = source.store().read(source.rows()::unread);
            lock.lock();
            try {
                polls.clear();
                oldest = unread.stream()
                        .map(Unread::oldest)
                        .min(Comparator.naturalOrder())
                        .orElse(null);
                clearFailures(unread);
                unread.forEach(this::submit);
            } finally {
                lock.unlock();
            }
        } catch (Throwable e) { // also if no thread can be started
            failed(polls, -1, e);
        }
    }

    /** An event that has failed here, and is not unread any more, has been handled by another node. */
    private void clearFailures(List<Unread> unread) {
        Set<Integer> numbers = unread.stream().map(Unread::slice).collect(Collectors.toSet());
        for (Slice slice : slices) {
            if (!slice.isActive && !numbers.contains(slice.number)) {
                slice.reset();
            }
        }
    }

    /** Called with the lock. */
    private void submit(Unread unread) {
        Slice slice = slices.get(unread.slice());
        if (!slice.isActive && !unread.isLeased() && !isHalted() && slice.retries.isDue(System.nanoTime())) {
            workers.execute(() -> work(slice));
            slice.isActive = true;
            active++;
        }
    }

    private boolean isHalted() {
        return isPaused || isClosed;
    }

    private void work(Slice slice) {
        boolean hasMore = false;
        try {
            hasMore = attempt(slice);
        } finally {
            ended(slice, hasMore);
        }
    }

    /** Returns whether another batch can follow at once. */
    private boolean attempt(Slice slice) {
        try {
            return succeeded(slice, isHalted() ? Outcome.NONE : batch.run(slice.number, slice.limit));
        } catch (EventFailure e) {
            if (e.before() > 0) { // the next batch ends before the event, and the one after it begins with the event
                repeat(slice, e.before());
                return true;
            }
            failed(slice.retries, slice.number, e);
        } catch (Throwable e) {
            failed(slice.retries, slice.number, e);
        }
        return false;
    }

    private boolean succeeded(Slice slice, Outcome outcome) {
        lock.lock();
        try {
            if (outcome.events() > 0) {
                events += outcome.events();
                slice.reset();
            }
            return outcome.hasMore();
        } finally {
            lock.unlock();
        }
    }

    private void repeat(Slice slice, int limit) {
        lock.lock();
        try {
            slice.limit = limit;
        } finally {
            lock.unlock();
        }
    }

    /** The next batch is the last one in the queue: a slice with many events does not delay the others. */
    private void ended(Slice slice, boolean hasMore) {
        boolean isSubmitted = false;
        lock.lock();
        try {
            if (hasMore && !isHalted()) {
                workers.execute(() -> work(slice));
                isSubmitted = true;
            }
        } finally {
            if (!isSubmitted) {
                slice.isActive = false;
                active--;
                changed.signalAll();
            }
            lock.unlock();
        }
    }

    private void failed(Retries retries, int slice, Throwable e) {
        Failure failure;
        lock.lock();
        try {
            events += e instanceof EventFailure event ? event.handled() : 0;
            failure = retries.add(e, System.nanoTime());
        } finally {
            lock.unlock();
        }
        Throwable cause = LogText.plainTrace(failure.cause());
        String key = LogText.plain(source.rows().type() + "/" + failure.key());
        if (failure.isStopped()) {
            LOG.error(
                    "The projection {} has stopped slice {}: event {} of {} has failed {} times.",
                    name,
                    slice,
                    failure.version(),
                    key,
                    failure.attempts(),
                    cause);
        } else if (failure.attempts() == 1 && warnings.tryLog()) {
            if (failure.key() == null) {
                LOG.warn("The projection {} cannot use the database, and retries.", name, cause);
            } else {
                LOG.warn("The projection {} retries event {} of {}.", name, failure.version(), key, cause);
            }
        }
    }

    ProjectionStatus status() {
        lock.lock();
        try {
            List<Failure> failures = new ArrayList<>();
            slices.forEach(slice -> add(slice.retries.failure(), failures));
            add(polls.failure(), failures);
            Duration lag = oldest == null ? Duration.ZERO : Duration.between(oldest, Instant.now());
            return new ProjectionStatus(state(failures), lag.isNegative() ? Duration.ZERO : lag, events, failures);
        } finally {
            lock.unlock();
        }
    }

    private static void add(@Nullable Failure failure, List<Failure> failures) {
        if (failure != null) {
            failures.add(failure);
        }
    }

    private State state(List<Failure> failures) {
        if (isClosed) {
            return State.CLOSED;
        } else if (isPaused) {
            return State.PAUSED;
        } else if (failures.stream().anyMatch(Failure::isStopped)) {
            return State.FAILED;
        }
        return failures.isEmpty() ? State.RUNNING : State.RETRYING;
    }

    /** Begins to pause, and waits for the running batches. */
    void pause() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            isPaused = true;
            while (active > 0) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    void resume() {
        lock.lock();
        try {
            isPaused = false;
            retry();
        } finally {
            lock.unlock();
        }
    }

    /** Ends all waits for retries. */
    void retry() {
        lock.lock();
        try {
            slices.forEach(Slice::reset);
            polls.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Runs an action at the end, or at once after the end. It must not block. */
    void onEnd(Runnable action) {
        lock.lock();
        try {
            if (isPollerAlive) {
                endActions.add(action);
            } else {
                action.run();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Does not wait. */
    void beginClose() {
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void close() throws InterruptedException {
        beginClose();
        lock.lockInterruptibly();
        try {
            while (isPollerAlive) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The last step of the poller, also if it fails. */
    private void end() {
        beginClose();
        lock.lock();
        try {
            while (active > 0) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
        workers.shutdown();
        batch.end();
        lock.lock();
        try {
            isPollerAlive = false;
            endActions.forEach(Runnable::run);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
