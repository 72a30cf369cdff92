package io.fibry.http;

import io.fibry.dispatch.OutOfMemory;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads that the HTTP provider makes when a server starts. In the JDK, these are the dispatcher and the timers of
 * its timeouts. The JDK catches exceptions there, but no errors. A thread that runs out of memory ends and is not
 * replaced. Without the dispatcher, a server accepts connections and answers none of them.
 *
 * <p><b>How a death is noticed.</b> A thread belongs to the group of the thread that has made it. The server is
 * therefore started by a thread of this group. The threads of the group at the end of the start are the provider's.
 * {@link #uncaughtException} is called by each of them that dies, and {@link HttpServerLoop} reads {@link #death} at
 * each tick.
 *
 * <p><b>Why the code of the thread runs again.</b> The operating system keeps a port until the dispatcher's selector
 * has run after the close. All state of the dispatcher is in fields, so its loop continues until the server has been
 * stopped. The timers of the JDK return at once.
 */
final class ProviderThreads extends ThreadGroup {

    private volatile List<Thread> watched = List.of();
    private volatile @Nullable Error death;

    ProviderThreads() {
        super("fibry-http");
    }

    /** The error that has ended one of the threads, or null. */
    @Nullable
    Error death() {
        return death;
    }

    /** Starts a server on a thread of this group, and waits until it runs. Rethrows the exceptions of the code. */
    <T> T start(Supplier<T> code) {
        var start = new Start<>(code);
        Thread thread = Thread.ofPlatform().group(this).name("fibry-http-start").start(start);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true; // the start is short, and its result must not be lost: it holds the port
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return start.result();
    }

    private void watchAll() {
        var all = new Thread[activeCount() + 16];
        int n = enumerate(all);
        watched = Arrays.stream(all, 0, n)
                .filter(thread -> thread != Thread.currentThread())
                .toList();
    }

    /** Needs no memory to end, so its caller never waits without end. */
    private final class Start<T> implements Runnable {
        private final Supplier<T> code;
        private @Nullable T value;
        private @Nullable Throwable failure;

        Start(Supplier<T> code) {
            this.code = code;
        }

        @Override
        public void run() {
            try {
                value = code.get();
                watchAll();
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        }

        T result() {
            T v = value;
            if (v != null) { // also if only watchAll failed: the caller must be able to stop the server
                return v;
            }
            if (failure instanceof Error error) {
                throw error;
            }
            throw failure instanceof RuntimeException e ? e : new IllegalStateException(failure);
        }
    }

    @Override
    public void uncaughtException(Thread thread, Throwable e) {
        if (!(e instanceof Error error) || !watched.contains(thread)) {
            super.uncaughtException(thread, e);
            return;
        }
        if (e instanceof OutOfMemoryError) {
            OutOfMemory.note();
        }
        death = error;
        if (thread == Thread.currentThread()) {
            runAgain(thread);
        }
    }

    /** Returns when the server has been stopped. */
    @SuppressWarnings("DoNotCall") // this is the thread itself
    private static void runAgain(Thread thread) {
        boolean ended = false;
        while (!ended) {
            try {
                thread.run();
                ended = true;
            } catch (Error e) { // the first one is recorded
                OutOfMemory.pause();
            }
        }
    }
}
