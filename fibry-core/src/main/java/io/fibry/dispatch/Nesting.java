package io.fibry.dispatch;

/**
 * Bounds the nesting of user code and library code on a stack: a stop calls a hook, which stops another actor, and so
 * on; or an executor runs an actor on the thread of its sender, where it sends to the next one. Each such step is run
 * by this class, on another thread beyond the limit.
 *
 * <p>A queue of steps to run later on the same thread would not work, since a step may wait: a hook may close another
 * actor, and a behavior may wait for a reply. The awaited step would have to run on the waiting thread.
 */
public final class Nesting {

    /** The maximum number of nested steps on a stack. Each takes about 20 frames. */
    private static final int LIMIT = 32;

    /**
     * The number of steps on the thread's stack. An array, so that a thread that outlives the library retains no class
     * of it.
     */
    private static final ThreadLocal<int[]> STEPS = ThreadLocal.withInitial(() -> new int[1]);

    private Nesting() {}

    /**
     * Runs the code here; if that would nest too deeply, runs the other code on a new thread without waiting for it.
     */
    public static void run(Runnable here, Runnable elsewhere) {
        int[] steps = STEPS.get();
        if (steps[0] >= LIMIT && starts(elsewhere)) {
            return;
        }
        steps[0]++;
        try {
            here.run();
        } finally {
            steps[0]--;
        }
    }

    private static boolean starts(Runnable code) {
        Control control = Control.ofCurrentThread();
        if (control != null) {
            control.fork("fibry-nested", code);
            return true;
        }
        try {
            Thread.ofVirtual()
                    .name("fibry-nested")
                    .inheritInheritableThreadLocals(false)
                    .start(code);
            return true;
        } catch (OutOfMemoryError e) {
            return false; // nests as deeply as the stack allows
        }
    }
}
