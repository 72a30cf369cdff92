package io.fibry.testing;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** Runs code in frames so deep in a recursion that little stack is left. */
public final class DeepStack {

    private static final long STACK_BYTES = 512 << 10;

    private final int most;
    private final IntConsumer step;
    private int steps;
    private int returned;
    private int next;

    private DeepStack(int most, IntConsumer step) {
        this.most = most;
        this.step = step;
    }

    /** Runs the code on a thread with a small stack. */
    public static <T> T onSmallStack(Supplier<T> code) throws InterruptedException {
        var result = new CompletableFuture<T>();
        Thread thread = new Thread(null, () -> result.completeAsync(code, Runnable::run), "small stack", STACK_BYTES);
        result.orTimeout(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        thread.start();
        thread.join();
        return Await.value(result);
    }

    /**
     * Descends until the stack is exhausted, and runs the step on the way back, the deepest frame first. Depths
     * measured in advance would be wrong as soon as the JIT compiler changes the size of a frame.
     *
     * @param most the maximum number of calls of the step
     * @param step gets the number of calls before it; may throw a {@link StackOverflowError}
     * @return the number of calls
     */
    public static int runAtAllDepths(int most, IntConsumer step) {
        var stack = new DeepStack(most, step);
        stack.descend(1, 2, 3, 4, 5, 6, 7, 8);
        return stack.steps;
    }

    /** The arguments are used after the call, which gives a frame, also a compiled one, at least 64 bytes. */
    @SuppressWarnings("InfiniteRecursion") // ends when the stack is exhausted
    private long descend(long a, long b, long c, long d, long e, long f, long g, long h) {
        long below = 0;
        try {
            below = descend(b, c, d, e, f, g, h, a + 1);
        } catch (StackOverflowError deepest) {
            returned = 0;
        }
        if (returned++ >= next && steps < most) {
            next += 4 + next / 32; // at last from half of the depth: a virtual thread that is deeper cannot wait
            step.accept(steps++);
        }
        return below ^ a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
    }

    /** Needs at least 64 bytes of stack for each frame. */
    public static long need(int frames) {
        return need(frames, 1, 2, 3, 4, 5, 6, 7);
    }

    private static long need(int frames, long a, long b, long c, long d, long e, long f, long g) {
        long below = frames == 0 ? 0 : need(frames - 1, b, c, d, e, f, g, a + 1);
        return below ^ a ^ b ^ c ^ d ^ e ^ f ^ g;
    }
}
