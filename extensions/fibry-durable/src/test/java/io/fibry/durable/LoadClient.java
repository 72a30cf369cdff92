package io.fibry.durable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.LongFunction;

/** Sends numbers by asks, one after the other. A client that repeats continues with the next number after a success. */
final class LoadClient implements AutoCloseable {

    private final LongFunction<? extends CompletableFuture<?>> asks;
    private final boolean repeats;
    private final Thread thread = Thread.ofVirtual().unstarted(this::run);

    private final Set<String> failures = new HashSet<>(); // guarded by this, like the next three
    private final List<Long> acknowledged = new ArrayList<>();
    private boolean stopped;
    private boolean closed;

    private LoadClient(LongFunction<? extends CompletableFuture<?>> asks, boolean repeats) {
        this.asks = asks;
        this.repeats = repeats;
    }

    static LoadClient start(boolean repeats, LongFunction<? extends CompletableFuture<?>> asks) {
        var client = new LoadClient(asks, repeats);
        client.thread.start();
        return client;
    }

    private void run() {
        for (long number = 1; !isStopped(); number++) {
            boolean isDone = ask(number);
            while (repeats && !isDone && !isClosed()) {
                isDone = ask(number);
            }
        }
    }

    private boolean ask(long number) {
        try {
            asks.apply(number).get();
            acknowledge(number);
            return true;
        } catch (ExecutionException e) {
            fail(e.getCause());
            return false;
        } catch (InterruptedException e) {
            throw new CompletionException(e);
        }
    }

    private synchronized boolean isStopped() {
        return stopped;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized void acknowledge(long number) {
        acknowledged.add(number);
        notifyAll();
    }

    private synchronized void fail(Throwable failure) {
        failures.add(failure.toString());
        notifyAll();
    }

    /** Waits until this number of further asks has been acknowledged. */
    synchronized void awaitMore(int asks) throws InterruptedException {
        for (int last = acknowledged.size() + asks; acknowledged.size() < last; ) {
            wait();
        }
    }

    /** Waits for an ask that fails with this text. */
    synchronized void awaitFailure(String text) throws InterruptedException {
        while (failures.stream().noneMatch(failure -> failure.contains(text))) {
            wait();
        }
    }

    synchronized Set<String> failures() {
        return Set.copyOf(failures);
    }

    /** Ends the client after the current number, and returns the acknowledged numbers. */
    List<Long> end() throws InterruptedException {
        synchronized (this) {
            stopped = true;
        }
        thread.join();
        synchronized (this) {
            return List.copyOf(acknowledged);
        }
    }

    /**
     * Ends the client after its current ask. Without this, the client of a test that failed repeats its ask to closed
     * entities, occupies a carrier thread, and lets the tests after it fail.
     */
    @Override
    public synchronized void close() {
        stopped = true;
        closed = true;
    }
}
