package io.fibry.dispatch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A future whose waits and timeouts, and the waits and timeouts of its dependents, are driven by the {@link Control}.
 */
public final class ControlledFuture<T extends @Nullable Object> extends CompletableFuture<T> {

    private ControlledFuture() {}

    /** Returns an incomplete future for the calling thread: a plain one, unless the thread is under control. */
    public static <T extends @Nullable Object> CompletableFuture<T> incomplete() {
        Control control = Control.ofCurrentThread();
        if (control == null) {
            return new CompletableFuture<>();
        }
        var future = new ControlledFuture<T>();
        control.made(future);
        return future;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new ControlledFuture<>(); // it depends on this one, so the control need not know it
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        Control.await(this, Control.FOREVER, true, "a future");
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        return super.get(Control.await(this, unit.toNanos(timeout), true, "a future"), TimeUnit.NANOSECONDS);
    }

    @Override
    public T join() {
        Control.await(this, Control.FOREVER, false, "a future");
        return super.join();
    }

    @Override
    public CompletableFuture<T> orTimeout(long timeout, TimeUnit unit) {
        return orTimeoutUnderControl(this, timeout, unit) ? this : super.orTimeout(timeout, unit);
    }

    @Override
    public CompletableFuture<T> completeOnTimeout(T value, long timeout, TimeUnit unit) {
        return completeOnTimeoutUnderControl(this, value, timeout, unit)
                ? this
                : super.completeOnTimeout(value, timeout, unit);
    }

    /** Applies the timeout by the control's time. Returns false if the calling thread is under none. */
    public static boolean orTimeoutUnderControl(CompletableFuture<?> future, long timeout, TimeUnit unit) {
        return limit(future, timeout, unit, () -> future.completeExceptionally(new TimeoutException()));
    }

    /** As {@link #orTimeoutUnderControl}. */
    public static <T extends @Nullable Object> boolean completeOnTimeoutUnderControl(
            CompletableFuture<T> future, T value, long timeout, TimeUnit unit) {
        return limit(future, timeout, unit, () -> future.complete(value));
    }

    private static boolean limit(CompletableFuture<?> future, long timeout, TimeUnit unit, Runnable atTimeout) {
        if (Control.ofCurrentThread() == null) {
            return false;
        }
        var alarm = new Alarm();
        alarm.start(unit.toNanos(timeout), atTimeout);
        CompletableFuture<?> unused = future.whenComplete((value, failure) -> alarm.cancel());
        return true;
    }
}
