package io.fibry.test;

import io.fibry.dispatch.ControlledRunner;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a simulation. It runs only while it has the baton, which one thread of a simulation has at a time.
 *
 * <p><b>Hand-over.</b> The thread with the baton writes {@link #baton} of the next one, then unparks it, and then parks until its own
 * is set. The next one reads its field before each park, so it misses nothing. The field is volatile: what a thread has done
 * happens-before what the next one does.
 */
final class Fiber extends ControlledRunner implements Runnable {

    private final Simulation simulation;
    private final Thread thread;
    private volatile boolean baton = true;

    /** An interrupt that came while another thread ran. */
    private volatile boolean interrupted;

    /** What it runs; null for the test, which runs itself. */
    @Nullable
    Strand strand;

    /** A thread of its own, to be started when it has a strand. */
    Fiber(Simulation simulation) {
        super(simulation);
        this.simulation = simulation;
        thread = Thread.ofVirtual()
                .name("fibry-test")
                .inheritInheritableThreadLocals(false)
                .unstarted(this);
    }

    /** The calling thread, as that of the test. */
    private Fiber(Simulation simulation, Thread own) {
        super(simulation);
        this.simulation = simulation;
        thread = own;
    }

    static Fiber ofTest(Simulation simulation) {
        var fiber = new Fiber(simulation, Thread.currentThread());
        fiber.adopt();
        return fiber;
    }

    /** Begins, with the baton. */
    void start() {
        thread.start();
    }

    @Override
    public void run() {
        adopt();
        simulation.work(this);
    }

    Thread thread() {
        return thread;
    }

    /** Gives the baton to this fiber. The caller has it no more. */
    void resume() {
        baton = true;
        LockSupport.unpark(thread);
    }

    /** Before the baton goes to another fiber, since that one may give it back at once. */
    void giveUpBaton() {
        baton = false;
    }

    /** Waits for the baton. Keeps interrupts for later. */
    void awaitBaton() {
        while (!baton) {
            LockSupport.park(this);
            if (thread.isInterrupted()) {
                interrupted = true;
                Thread.interrupted();
            }
        }
        if (interrupted) {
            interrupted = false;
            Thread.currentThread().interrupt();
        }
    }

    boolean isInterrupted() {
        return thread.isInterrupted() || interrupted; // awaitBaton writes them in the other order
    }

    @Override
    protected void interruptNow() {
        if (baton) {
            thread.interrupt();
        } else {
            interrupted = true;
        }
    }
}
