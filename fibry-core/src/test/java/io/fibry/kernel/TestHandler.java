package io.fibry.kernel;

import io.fibry.dispatch.SuspendedHandler;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A handler whose steps are added by a test. */
final class TestHandler implements SuspendedHandler {

    private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();
    private final String message;
    private final List<String> log;
    private volatile SuspendedHandler.@Nullable Resumption resumption;
    private volatile @Nullable String result;
    private volatile @Nullable Throwable failure;
    private volatile boolean complete;
    private Consumer<String> atSteps = step -> {};
    private Runnable atEnd = () -> {};

    TestHandler(String message, List<String> log) {
        this.message = message;
        this.log = log;
    }

    Object suspend() {
        return Objects.requireNonNull(SuspendedHandler.suspend(this), "the mark of a suspended handler");
    }

    void atSteps(Consumer<String> action) {
        atSteps = action;
    }

    void atEnd(Runnable action) {
        atEnd = action;
    }

    void runAtEnd() {
        atEnd.run();
    }

    void step(String text) {
        add(() -> {
            atSteps.accept(text);
            log.add(message + ": " + text);
        });
    }

    void stepThatSleeps(String text) {
        add(() -> {
            log.add(message + ": " + text);
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                log.add(message + ": woken up");
            }
        });
    }

    /** Adds a step that adds itself until the condition holds. */
    void stepUntil(BooleanSupplier condition, String text) {
        add(() -> {
            if (condition.getAsBoolean()) {
                log.add(message + ": " + text);
            } else {
                stepUntil(condition, text);
            }
        });
    }

    private void add(Runnable step) {
        steps.add(step);
        wakeUp();
    }

    void finish(String value) {
        result = value;
        add(() -> complete = true);
    }

    void fail(Throwable cause) {
        failure = cause;
        add(() -> complete = true);
    }

    private void wakeUp() {
        SuspendedHandler.Resumption r = resumption;
        if (r != null) {
            r.wakeUp();
        }
    }

    @Override
    public void suspended(Resumption itsResumption) {
        resumption = itsResumption;
    }

    @Override
    public void runSteps() {
        for (int left = steps.size(); left > 0; left--) {
            Objects.requireNonNull(steps.poll()).run();
        }
    }

    @Override
    public boolean hasWork() {
        return !steps.isEmpty() || complete;
    }

    @Override
    public boolean isComplete() {
        return complete;
    }

    @Override
    public @Nullable Object result() throws Exception {
        if (failure != null) {
            rethrow(failure);
        }
        return result;
    }

    /** Throws any throwable, as a handler in Kotlin may. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void rethrow(Throwable failure) throws T {
        throw (T) failure;
    }

    @Override
    public void interrupted() {
        log.add(message + ": interrupted");
    }

    @Override
    public @Nullable CompletableFuture<?> awaited() {
        return null;
    }
}
