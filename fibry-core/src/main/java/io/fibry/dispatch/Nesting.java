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

    /** The indexes of the number of steps on the thread's stack, and of the calls of {@link #withoutTurns}. */
    private static final int STEPS = 0;

    private static final int WITHOUT_TURNS = 1;

    /** An array, so that a thread that outlives the library retains no class of it. */
    private static final ThreadLocal<int[]> STACK = ThreadLocal.withInitial(() -> new int[2]);

    private Nesting() {}

    /**
     * Runs the code here; if that would nest too deeply, runs the other code on a new thread without waiting for it.
     */
    public static void run(Runnable here, Runnable elsewhere) {
        int[] stack = STACK.get();
        if (stack[STEPS] >= LIMIT && starts(elsewhere)) {
            return;
        }
        stack[STEPS]++;
        try {
            here.run();
        } finally {
            stack[STEPS]--;
        }
    }

    /**
     * As {@link #run}, for a turn of an actor. Also runs the other code on a new thread inside of {@link
     * #withoutTurns}.
     */
    static void runTurn(Runnable here, Runnable elsewhere) {
        int[] stack = STACK.get();
        if (stack[WITHOUT_TURNS] == 0 || !starts(elsewhere)) {
            run(here, elsewhere);
        }
    }

    /**
     * Runs code that makes actors ready, but none of their turns: a thread that waits with a deadline must not run a
     * handler, which may block.
     */
    public static void withoutTurns(Runnable code) {
        int[] stack = STACK.get();
        stack[WITHOUT_TURNS]++;
        try {
            code.run();
        } finally {
            stack[WITHOUT_TURNS]--;
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
