package io.fibry.dispatch;

/**
 * Bounds how deep code of users and of the library nests on a stack: a stop calls a hook, which stops another actor, and so on; or
 * an executor runs an actor on the thread of its sender, where it sends to the next one. Each such step runs through here. Beyond
 * the limit it runs on another thread.
 *
 * <p>A list of steps to run later on the same thread would do too, but only if none of them waits: a hook may close another actor,
 * and a behavior may wait for a reply. The thread that has to run what they wait for would be their own.
 */
public final class Nesting {

    /** How many steps may nest on a stack. Each takes some 20 frames, and there are others below them. */
    private static final int LIMIT = 32;

    /** The number of steps on the thread's stack. An array, so that a thread that outlives the library keeps no class of it. */
    private static final ThreadLocal<int[]> STEPS = ThreadLocal.withInitial(() -> new int[1]);

    private Nesting() {}

    /** Runs the code here; if that would nest too deep, runs the other code on a new thread, and does not wait for it. */
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
            return false; // then as deep as the stack allows
        }
    }
}
