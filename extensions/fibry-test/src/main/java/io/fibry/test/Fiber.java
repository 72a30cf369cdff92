package io.fibry.test;

import io.fibry.dispatch.ControlledRunner;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a simulation. It runs only while it holds the baton, which one thread of a simulation holds at a time.
 *
 * <p><b>Hand-over.</b> The thread with the baton sets {@link #baton} of the next thread, unparks it, and then parks
 * until its own field is set. The next thread reads its field before each park, so no wake-up is lost. The field is
 * volatile: the actions of a thread happen-before the actions of the next one.
 */
final class Fiber extends ControlledRunner implements Runnable {

    private final Simulation simulation;
    private final Thread thread;
    private volatile boolean baton = true;

    /** An interrupt that came while another thread ran. */
    private volatile boolean interrupted;

    /** Whether the test has ended without this thread, which was stuck. */
    volatile boolean abandoned;

    /** The strand that this fiber runs; null for the test, which runs itself. */
    @Nullable
    Strand strand;

    /** Creates a fiber with a new thread, to be started when it has a strand. */
    Fiber(Simulation simulation) {
        super(simulation);
        this.simulation = simulation;
        thread = Thread.ofVirtual()
                .name("fibry-test")
                .inheritInheritableThreadLocals(false)
                .unstarted(this);
    }

    /** Creates a fiber for the calling thread, which is the thread of the test. */
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

    /** Starts the thread, with the baton. */
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

    /** Passes the baton from the caller to this fiber. */
    void resume() {
        baton = true;
        LockSupport.unpark(thread);
    }

    /**
     * Clears the caller's baton. Called before the baton is passed on, because the other fiber may return it at once.
     */
    void giveUpBaton() {
        baton = false;
    }

    /** Waits for the baton. Interrupts are deferred until then. */
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
        return thread.isInterrupted() || interrupted; // awaitBaton writes them in reverse order
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
