package io.fibry.http;

import io.fibry.dispatch.OutOfMemory;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads that the JDK makes for one HTTP server: the dispatcher, and the timers of its timeouts. The JDK catches exceptions
 * there, but no errors. If one of these threads runs out of memory, it ends, and is never replaced. Without the dispatcher, the
 * server accepts nothing, and its port cannot even be closed: the operating system keeps it until the dispatcher's selector runs.
 *
 * <p><b>How a death is noticed.</b> A thread belongs to the group of the thread that has made it. So the server is made by a
 * thread of this group, and {@link #uncaughtException} is called by each thread of the server that dies.
 *
 * <p><b>What is done.</b> The dispatcher's loop is run again at once, on the same thread, before it has ended. All its state is in
 * fields, so it goes on. But it may have lost connections that it had just taken over, and the loop of a timer cannot be run again.
 * So the server {@linkplain #areDamaged counts as damaged}, and {@link HttpServerLoop} begins it anew. Nothing is missed: the flag
 * is set before the thread continues or ends, and the loop reads it at each tick.
 */
final class JdkThreads extends ThreadGroup {

    private static final String DISPATCHER = "HTTP-Dispatcher";
    private static final Set<String> NAMES = Set.of(DISPATCHER, "idle-timeout-task", "req-rsp-timeout-task");

    private volatile boolean damaged;

    JdkThreads() {
        super("fibry-http");
    }

    /** Whether one of the JDK's threads has failed. */
    boolean areDamaged() {
        return damaged;
    }

    /** Runs the code on a thread of this group, and waits for its result. Throws what the code throws. */
    <T> T call(Supplier<T> code) {
        var call = new Call<>(code);
        Thread thread = Thread.ofPlatform().group(this).name("fibry-http-start").start(call);
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
        return call.result();
    }

    /** Needs no memory to end, so that its caller never waits in vain. */
    private static final class Call<T> implements Runnable {
        private final Supplier<T> code;
        private @Nullable T value;
        private @Nullable Throwable failure;

        Call(Supplier<T> code) {
            this.code = code;
        }

        @Override
        public void run() {
            try {
                value = code.get();
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        }

        T result() {
            if (failure instanceof Error error) {
                throw error;
            }
            if (failure instanceof RuntimeException exception) {
                throw exception;
            }
            return Objects.requireNonNull(value);
        }
    }

    @Override
    public void uncaughtException(Thread thread, Throwable e) {
        damaged |= NAMES.contains(thread.getName());
        if (e instanceof OutOfMemoryError) {
            OutOfMemory.note();
        } else {
            super.uncaughtException(thread, e);
        }
        if (thread == Thread.currentThread() && thread.getName().equals(DISPATCHER)) {
            runAgain(thread);
        }
    }

    /** Returns when the server has been stopped. */
    @SuppressWarnings("DoNotCall") // this is the thread itself
    private static void runAgain(Thread dispatcher) {
        boolean ended = false;
        while (!ended) {
            try {
                dispatcher.run();
                ended = true;
            } catch (Error e) { // the flag is set already; to report it may need memory
                OutOfMemory.pause();
            }
        }
    }
}
